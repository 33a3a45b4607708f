import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';

const PROTOCOLS = ['http/protobuf', 'http/json'];

/** The settings of traces. OpenTelemetry prescribes their names; the SDK reads its other variables itself. */
export const TracingSettings = defineSettings(
  'tracing',
  {
    endpoint: setting(Type.String(), {
      default: '',
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      description:
        'The receiver of OpenTelemetry traces by OTLP over HTTP, such as http://collector:4318; /v1/traces is appended. Empty for no traces.',
    }),
    protocol: setting(Type.String(), {
      default: 'http/protobuf',
      env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      description: 'How traces are written: `http/protobuf` or `http/json`.',
    }),
  },
  ({ endpoint, protocol }) => {
    // The protocol may be meant for other programs; without a receiver it has no effect.
    if (endpoint === '') return {};
    return { endpoint: addressComplaint(endpoint), protocol: protocolComplaint(protocol) };
  },
);
export type TracingSettings = SettingsOf<typeof TracingSettings>;

/** The address to which traces are sent; `undefined` for none. */
export function receiverOf({ endpoint }: TracingSettings): string | undefined {
  return endpoint === '' ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function addressComplaint(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'is no address that begins with http:// or https://';
  if (url.username === '' && url.password === '') return undefined;
  return 'has credentials in it; send them with OTEL_EXPORTER_OTLP_HEADERS';
}

function protocolComplaint(protocol: string): string | undefined {
  return PROTOCOLS.includes(protocol)
    ? undefined
    : `is "${protocol}"; traces are sent by ${PROTOCOLS.join(' or ')}`;
}

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
    traces_endpoint: setting(Type.String(), {
      default: '',
      env: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
      description:
        'The whole address that receives traces, instead of the one that `tracing.endpoint` makes.',
    }),
    protocol: setting(Type.String(), {
      default: 'http/protobuf',
      env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
      description: 'How traces are written: `http/protobuf` or `http/json`.',
    }),
    traces_protocol: setting(Type.String(), {
      default: '',
      env: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
      description: 'The same, with precedence over `tracing.protocol`; empty for that one.',
    }),
    exporter: setting(Type.String(), {
      default: 'otlp',
      env: 'OTEL_TRACES_EXPORTER',
      description: '`otlp`, or `none` for no traces.',
    }),
    disabled: setting(Type.Boolean(), {
      default: false,
      env: 'OTEL_SDK_DISABLED',
      description: 'Sends no traces, whatever the other settings are.',
    }),
  },
  (values) => {
    // These variables may be meant for other programs; without a receiver they have no effect.
    if (receiverOf(values) === undefined) return {};
    const { endpoint, traces_endpoint, exporter, traces_protocol } = values;
    const protocolFault = protocolComplaint(protocolOf(values));
    return {
      endpoint: traces_endpoint === '' ? addressComplaint(endpoint) : undefined,
      traces_endpoint: traces_endpoint === '' ? undefined : addressComplaint(traces_endpoint),
      protocol: traces_protocol === '' ? protocolFault : undefined,
      traces_protocol: traces_protocol === '' ? undefined : protocolFault,
      exporter: exporter === 'otlp' ? undefined : `is "${exporter}"; there are otlp and none`,
    };
  },
);
export type TracingSettings = SettingsOf<typeof TracingSettings>;

/** The address to which traces are sent; `undefined` for none. */
export function receiverOf(values: TracingSettings): string | undefined {
  const { endpoint, traces_endpoint, exporter, disabled } = values;
  if (disabled || exporter === 'none') return undefined;
  if (traces_endpoint !== '') return traces_endpoint;
  return endpoint === '' ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

/** How traces are written. */
export function protocolOf({ protocol, traces_protocol }: TracingSettings): string {
  return traces_protocol === '' ? protocol : traces_protocol;
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

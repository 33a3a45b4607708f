import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';

/** The settings of the log. */
export const LoggingSettings = defineSettings('log', {
  level: setting(Type.Enum(['debug', 'info', 'warn', 'error', 'silent']), {
    default: 'info',
    description: 'The least important lines that are written.',
  }),
  requests: setting(Type.Enum(['debug', 'info', 'silent']), {
    default: 'info',
    description:
      'The level of the line of each request; `debug` keeps these lines out of the log unless `log.level` is `debug` as well, and `silent` writes none. Failures are written whatever it is.',
  }),
  format: setting(Type.Enum(['auto', 'json', 'pretty']), {
    default: 'auto',
    description:
      'How lines are written: `json`, `pretty` for people, or `auto`, which is `pretty` where standard error is a terminal.',
  }),
});
export type LoggingSettings = SettingsOf<typeof LoggingSettings>;

/** The level of the line of each request. */
export type RequestLevel = LoggingSettings['requests'];

const PROTOCOLS = ['http/protobuf', 'http/json'];

/** The settings of traces. Their names are those that OpenTelemetry prescribes; the SDK reads all its other variables itself. */
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
    disabled: setting(Type.Boolean(), {
      default: false,
      env: 'OTEL_SDK_DISABLED',
      description: 'Sends no traces, whatever the other settings are.',
    }),
  },
  (values) => {
    // These variables may be meant for other programs; without a receiver they have no effect.
    if (receiverOf(values) === undefined) return {};
    const { endpoint, traces_endpoint, protocol } = values;
    return {
      endpoint: traces_endpoint === '' ? addressComplaint(endpoint) : undefined,
      traces_endpoint: traces_endpoint === '' ? undefined : addressComplaint(traces_endpoint),
      protocol: PROTOCOLS.includes(protocol)
        ? undefined
        : `is "${protocol}"; traces are sent by ${PROTOCOLS.join(' or ')}`,
    };
  },
);
export type TracingSettings = SettingsOf<typeof TracingSettings>;

/** The address to which traces are sent; `undefined` for none. */
export function receiverOf(
  values: Pick<TracingSettings, 'endpoint' | 'traces_endpoint' | 'disabled'>,
): string | undefined {
  const { endpoint, traces_endpoint, disabled } = values;
  if (disabled) return undefined;
  if (traces_endpoint !== '') return traces_endpoint;
  return endpoint === '' ? undefined : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

function addressComplaint(address: string): string | undefined {
  if (URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)) return undefined;
  return 'is no address that begins with http:// or https://';
}

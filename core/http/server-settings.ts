import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';
import { withoutCredentials } from '../config/configuration.ts';
import { trustComplaint } from './client-address.ts';
import { originComplaint } from './cors.ts';

const milliseconds = (minimum: number) => Type.Integer({ minimum, maximum: 3_600_000 });
const bytes = Type.Integer({ minimum: 1024, maximum: 1_073_741_824 });

/** Where and how the server listens, and the limits that protect clients from one another. */
export const ServerSettings = defineSettings(
  'server',
  {
    host: setting(Type.String({ minLength: 1 }), {
      default: '127.0.0.1',
      env: 'HOST',
      description: 'Address to listen on; 0.0.0.0 for every interface.',
    }),
    port: setting(Type.Integer({ minimum: 0, maximum: 65_535 }), {
      default: 3000,
      env: 'PORT',
      description: 'Port to listen on; 0 picks a free one.',
    }),
    base_path: setting(Type.String({ pattern: '^(/[a-z0-9._-]+)+$' }), {
      default: '/api/v1',
      description:
        'Path prefix of every operation. What stands before `/api/v1` is also the prefix of /docs, and of /metrics, /livez and /readyz, which stay at the root as well.',
    }),
    path_aliases: setting(Type.Array(Type.String({ pattern: '^[a-z0-9-]+=[a-z0-9-]+$' })), {
      default: [],
      description:
        'Further names of first path segments, as NAME=SEGMENT: `gitea=repohost` serves /gitea/config as /repohost/config.',
    }),
    public_url: setting(Type.String({ pattern: '^(https?://[^\\s?#]+)?$' }), {
      default: '',
      env: 'PUBLIC_URL',
      description:
        'Address under which clients reach the server, without the base path but with a prefix that a proxy strips; empty when it is host and port.',
    }),
    trust_proxy: setting(Type.String(), {
      default: '',
      env: 'TRUST_PROXY',
      description:
        'Proxies whose X-Forwarded-For is trusted: the number of proxies in front, or their addresses and networks; empty for none. An entry may have a port, brackets or quotes.',
    }),
    body_limit: setting(bytes, { default: 1_048_576, description: 'Largest request body, in bytes.' }),
    large_body_limit: setting(bytes, {
      default: 8_388_608,
      description: 'Largest body of operations that carry data, such as calls, in bytes.',
    }),
    max_in_flight: setting(Type.Integer({ minimum: 1 }), {
      default: 1000,
      description:
        'Requests in progress at once; beyond it a request waits in a queue for a quarter of a second and is then answered 503.',
    }),
    max_connections: setting(Type.Integer({ minimum: 1 }), {
      default: 2000,
      description:
        'Open connections; a further one replaces the longest idle one without a complete request.',
    }),
    request_timeout_ms: setting(milliseconds(100), {
      default: 30_000,
      description: 'How long a whole request may take to arrive.',
    }),
    keep_alive_ms: setting(milliseconds(100), {
      default: 5000,
      description: 'How long an idle connection stays open.',
    }),
    drain_delay_ms: setting(milliseconds(0), {
      default: 0,
      description:
        'How long the service keeps serving after it reports that it is not ready, so that a load balancer can switch to other instances first.',
    }),
    shutdown_ms: setting(milliseconds(0), {
      default: 20_000,
      description:
        'How long requests in flight may take to finish when the service stops; the remaining ones are aborted, and have 2 s more to answer.',
    }),
    watchdog_s: setting(Type.Integer({ minimum: 0, maximum: 3600 }), {
      default: 30,
      description:
        'Seconds after which a process with a blocked main loop is killed, so that its supervisor starts another; 0 for never, as under a debugger.',
    }),
    cors_origins: setting(Type.Array(Type.String({ pattern: '^(\\*|https?://[^/\\s]+)$' })), {
      default: [],
      description: 'Origins whose pages may use the API from a browser; empty for none, * for all.',
    }),
  },
  ({ trust_proxy, cors_origins, public_url, base_path }) => ({
    trust_proxy: trustComplaint(trust_proxy),
    cors_origins: originComplaint(cors_origins),
    public_url: publicUrlComplaint(public_url, base_path),
  }),
);

export type ServerOptions = SettingsOf<typeof ServerSettings>;

function publicUrlComplaint(text: string, basePath: string): string | undefined {
  if (text === '') return undefined;
  if (!URL.canParse(text)) return `is "${withoutCredentials(text)}", which is no address`;
  const { username, password, pathname } = new URL(text);
  if (pathname.replace(/\/$/, '').endsWith(basePath))
    return `ends in the base path; write it without ${basePath}, which is added to it`;
  if (username === '' && password === '') return undefined;
  return 'has credentials in it, which links and the OpenAPI document would give away; write it without them';
}

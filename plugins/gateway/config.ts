import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

/** The settings of the gateway: which calls it guards, its limits without a policy, its circuits, and the store of its counts. */
export const GatewaySettings = defineSettings(
  'gateway',
  {
    guards: setting(Type.Enum(['all', 'gateway']), {
      default: 'all',
      description:
        '`all`: block rules, limits and circuits hold for every way to call. `gateway`: for `/gateway/call` only.',
    }),
    rate_limit: setting(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), {
      default: 600,
      description: 'Requests that one caller may make within a window; 0 sets no limit.',
    }),
    rate_window_s: setting(Type.Integer({ minimum: 1, maximum: 86_400 }), {
      default: 60,
      description: 'Length of that window in seconds.',
    }),
    redis_url: setting(Type.String({ pattern: '^(rediss?://.+)?$' }), {
      default: '',
      env: 'REDIS_URL',
      secret: true,
      description:
        'Redis in which all instances count requests together; without it PostgreSQL is used, and memory on SQLite.',
    }),
    concurrency: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
      default: 128,
      description:
        'Calls of one version that one instance makes at once, unless a policy sets a limit for its algorithm; 128 more wait, and further ones are answered 429.',
    }),
    breaker_failures: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
      default: 5,
      description: 'Failures of an endpoint in a row, within 30 seconds, that open its circuit.',
    }),
    breaker_open_ms: setting(Type.Integer({ minimum: 10, maximum: 300_000 }), {
      default: 2000,
      description:
        'How long a circuit stays open at first, in milliseconds; it doubles each time the trial call fails, up to five minutes.',
    }),
  },
  ({ redis_url }) => ({
    redis_url:
      redis_url === '' || isRedisUrl(redis_url)
        ? undefined
        : 'is no address such as redis://:PASSWORD@HOST:6379; encode special characters of the password: %2F for /, %3F for ?, %23 for # and %40 for @',
  }),
);

/** An `@` behind the host means that an unescaped /, ? or # in the password ended the host too early. */
function isRedisUrl(url: string): boolean {
  return URL.canParse(url) && !/^[^/]*\/\/[^/?#]*[/?#].*@/s.test(url);
}

export type GatewaySettings = SettingsOf<typeof GatewaySettings>;

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

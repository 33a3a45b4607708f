import Type from 'typebox';
import { defineSettings, setting, type SettingsOf } from '../config/settings.ts';

/** The settings of the log. */
export const LoggingSettings = defineSettings('log', {
  level: setting(Type.Enum(['debug', 'info', 'warn', 'error', 'silent']), {
    default: 'info',
    description: 'The least important lines that are written.',
  }),
});
export type LoggingSettings = SettingsOf<typeof LoggingSettings>;

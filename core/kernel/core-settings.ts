import { JwtSettings, SecretsSettings } from '../auth/settings.ts';
import type { Settings } from '../config/settings.ts';
import { EgressSettings } from '../egress/settings.ts';
import { ServerSettings } from '../http/server-settings.ts';
import { DatabaseSettings } from '../persistence/settings.ts';
import { LoggingSettings } from '../telemetry/settings.ts';
import { TracingSettings } from '../telemetry/tracing-settings.ts';
import { DataSettings, PluginsSettings } from './settings.ts';

/** The kernel's own sections of the configuration. */
export const coreSettings: readonly Settings[] = [
  ServerSettings,
  DatabaseSettings,
  DataSettings,
  JwtSettings,
  SecretsSettings,
  EgressSettings,
  LoggingSettings,
  TracingSettings,
  PluginsSettings,
];

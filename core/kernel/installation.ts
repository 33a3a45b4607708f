import type { ConfigurationEntry } from '../config/configuration.ts';
import { token } from '../di/token.ts';
import type { Jobs } from './jobs/job-state.ts';
import type { PluginPage, PluginView } from './pages/page.ts';

/** A plugin of this installation. */
export interface InstalledPlugin {
  readonly id: string;
  readonly version: string | undefined;
  readonly summary: string | undefined;
  /** `given`: passed to the kernel as a value, as in tests of plugins. */
  readonly origin: 'built-in' | 'package' | 'folder' | 'given';
  readonly enabled: boolean;
  /** Why an enabled plugin is left out. */
  readonly leftOut?: string | undefined;
  readonly requires: readonly string[];
  /** The operations of the API: `GET /algorithms`. */
  readonly routes: readonly string[];
  /** Their panels name the path of the operation that they are filled from. */
  readonly pages: readonly PluginPage[];
  readonly views: readonly PluginView[];
  /** The folder of the files of pages and views. */
  readonly webFiles: URL | undefined;
  /** What it serves beside the API, such as `/docs`. */
  readonly addresses: readonly string[];
}

/** What is installed here, how it is set, and what it does on a schedule. */
export interface Installation {
  /** `version` and `summary` are unknown for a disabled plugin. */
  readonly plugins: readonly InstalledPlugin[];
  /** The effective settings of the kernel and of the plugins that are not disabled, secrets masked. */
  readonly settings: readonly ConfigurationEntry[];
  /** Lists and runs the scheduled jobs of all plugins. */
  readonly jobs: Jobs;
}

/** What is installed, how it is set, and what it does on a schedule. */
export const INSTALLATION = token<Installation>('core:installation');

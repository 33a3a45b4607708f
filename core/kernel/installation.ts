import { token } from '../di/token.ts';

/** A plugin of this installation. */
export interface InstalledPlugin {
  readonly id: string;
  readonly version: string | undefined;
  readonly summary: string | undefined;
  /** `given`: passed to the kernel as a value, as in tests. */
  readonly origin: 'built-in' | 'package' | 'folder' | 'given';
  readonly enabled: boolean;
  /** Why an enabled plugin is left out. */
  readonly leftOut?: string | undefined;
  readonly requires: readonly string[];
  readonly routes: readonly string[];
}

/** The plugins that are installed; `version` and `summary` are unknown for a disabled plugin. */
export interface Installation {
  readonly plugins: readonly InstalledPlugin[];
}

/** The plugins that are installed. */
export const INSTALLATION = token<Installation>('core:installation');

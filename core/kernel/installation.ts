import { token } from '../di/token.ts';

/** A plugin as this installation sees it. */
export interface InstalledPlugin {
  readonly id: string;
  readonly version: string | undefined;
  readonly summary: string | undefined;
  /** `given`: handed to the kernel as a value, as tests do. */
  readonly origin: 'built-in' | 'package' | 'folder' | 'given';
  readonly enabled: boolean;
  /** Why it is left out in spite of that. */
  readonly leftOut?: string | undefined;
  readonly requires: readonly string[];
  readonly routes: readonly string[];
}

/** What is installed here; `version` and `summary` are unknown for a plugin that is switched off. */
export interface Installation {
  readonly plugins: readonly InstalledPlugin[];
}

/** What is installed here. */
export const INSTALLATION = token<Installation>('core:installation');

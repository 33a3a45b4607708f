import { loadConfiguration } from '../../core/config/load.ts';
import type { Settings } from '../../core/config/settings.ts';
import { StartupError } from '../../core/errors/startup-error.ts';

/** What the start and `vitrine config check` say of these values of a section, all of it; empty when they are in order. */
export function complaintsOf(section: Settings, values: Readonly<Record<string, unknown>>): string {
  try {
    loadConfiguration({ sections: [section], files: [], env: {}, overrides: { [section.section]: values } });
    return '';
  } catch (error) {
    if (error instanceof StartupError) return error.findings.map(({ message }) => message).join('\n');
    throw error;
  }
}

import { Problem, StartupError, token, type Logger } from '../../core/index.ts';
import type { NewAccount } from './account-rules.ts';
import type { Administration } from './administration.ts';
import type { UsersSettings } from './config.ts';
import { UsernameTaken } from './problems.ts';
import type { Registration } from './registration.ts';
import { wantedAdmin } from './wanted-admin.ts';

export interface FirstAdminDeps {
  readonly settings: UsersSettings;
  readonly registration: Registration;
  readonly administration: Administration;
  readonly logger: Logger;
}

/** Creates the administrator of the settings, or explains how to get an administrator. */
export class FirstAdmin {
  readonly #deps: FirstAdminDeps;

  constructor(deps: FirstAdminDeps) {
    this.#deps = deps;
  }

  /** Creates the administrator of the settings if missing. Throws `StartupError` when another account has its address. */
  async ensure(): Promise<void> {
    const { settings, logger } = this.#deps;
    const wanted = wantedAdmin(settings);
    if (wanted) await this.#create(wanted);
    const note = await this.note();
    if (note) logger.info({}, note);
  }

  /** A sentence on how to get an administrator; `undefined` when there is one. */
  async note(): Promise<string | undefined> {
    const { settings, administration } = this.#deps;
    if (await administration.hasAdministrator()) return undefined;
    const open = settings.first_is_admin && settings.registration && (await administration.isEmpty());
    return open
      ? 'There is no administrator yet: the first account to register becomes one.'
      : 'There is no administrator: run `vitrine create-admin`, or set ADMIN_USERNAME, ADMIN_EMAIL and ADMIN_PASSWORD.';
  }

  async #create(wanted: NewAccount): Promise<void> {
    const { registration, logger } = this.#deps;
    try {
      await registration.createAdmin(wanted, { kind: 'plugin', name: 'users' });
      logger.info({ username: wanted.username }, 'The administrator of the settings was created.');
    } catch (error) {
      if (UsernameTaken.is(error)) return;
      if (!(error instanceof Problem)) throw error;
      throw new StartupError(`The administrator of the settings cannot be created: ${error.message}`, [], {
        cause: error,
      });
    }
  }
}

export const FIRST_ADMIN = token<FirstAdmin>('users:first-admin');

import { Problem, StartupError, token, type Logger } from '../../core/index.ts';
import { checkNewAccount, isWellKnown, type NewAccount } from './account-rules.ts';
import type { Administration } from './administration.ts';
import type { UsersSettings } from './config.ts';
import { UsernameTaken } from './problems.ts';
import type { Registration } from './registration.ts';

export interface FirstAdminDeps {
  readonly settings: UsersSettings;
  readonly registration: Registration;
  readonly administration: Administration;
  readonly logger: Logger;
}

/** Sees to it that there is an administrator, or says how to get one. */
export class FirstAdmin {
  readonly #deps: FirstAdminDeps;

  constructor(deps: FirstAdminDeps) {
    this.#deps = deps;
  }

  /** Makes the administrator of the settings when missing. Throws `StartupError` when the settings are not fit. */
  async ensure(): Promise<void> {
    const { settings, logger } = this.#deps;
    const wanted = wantedAdmin(settings);
    if (wanted) await this.#create(wanted);
    const note = await this.note();
    if (note) logger.warn({}, note);
  }

  /** How to get an administrator, as long as there is none. */
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
      await registration.createAdmin(wanted);
      logger.info({ username: wanted.username }, 'The administrator of the settings was created.');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === UsernameTaken.code) return;
      throw unfit(error.message, error);
    }
  }
}

/** The administrator that the settings ask for. Throws `StartupError`. */
function wantedAdmin(settings: UsersSettings): NewAccount | undefined {
  const { admin_username, admin_email, admin_password: password } = settings;
  if (!admin_username && !admin_email && !password) return undefined;
  if (!password)
    throw unfit('ADMIN_USERNAME or ADMIN_EMAIL is set, but ADMIN_PASSWORD is not. Set it as well.');
  const username = admin_username || 'admin';
  const wanted = { username, email: admin_email || `${username.replace(/@.*/, '')}@localhost`, password };
  try {
    checkNewAccount(wanted);
  } catch (error) {
    throw unfit((error as Error).message, error);
  }
  if (isWellKnown(password, username)) {
    throw unfit('ADMIN_PASSWORD is one of those that everybody tries first. Choose another one.');
  }
  return wanted;
}

function unfit(sentence: string, cause?: unknown): StartupError {
  return new StartupError(`The administrator of the settings cannot be created: ${sentence}`, [], { cause });
}

export const FIRST_ADMIN = token<FirstAdmin>('users:first-admin');

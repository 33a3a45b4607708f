import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { processEnvironment } from '../../core/config/environment.ts';
import { StartupError } from '../../core/errors/startup-error.ts';

const VARIABLE = 'BACKUP_PASSPHRASE';
const SHORTEST = 12;

export interface PassphraseOptions {
  /** The file named by `--passphrase-file`. */
  readonly file: string | undefined;
  /** A new one is asked for twice, and must not be short. */
  readonly isNew: boolean;
}

/** The passphrase from a file, from `BACKUP_PASSPHRASE`, or from the terminal. Throws `StartupError` when there is none. */
export async function readPassphrase({ file, isNew }: PassphraseOptions): Promise<string> {
  const given = file === undefined ? processEnvironment()[VARIABLE] : fromFile(file);
  const passphrase = given || (await fromTerminal(isNew));
  if (isNew && passphrase.length < SHORTEST) {
    throw new StartupError(
      `The passphrase has ${passphrase.length} characters; it protects all secrets of the installation and needs at least ${SHORTEST}.`,
    );
  }
  return passphrase;
}

function fromFile(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new StartupError(`The passphrase cannot be read: ${(error as Error).message}.`, [], {
      cause: error,
    });
  }
  if (text === '')
    throw new StartupError(`The file ${file} holds no passphrase. Write one into its first line.`);
  return text;
}

async function fromTerminal(isNew: boolean): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new StartupError(
      `The secrets of the installation need a passphrase, and there is no terminal to ask for it. Name a file with --passphrase-file, set ${VARIABLE}, or leave the secrets out with --without-secrets.`,
    );
  }
  const passphrase = await ask('Passphrase for the secrets: ');
  if (isNew && (await ask('The same again: ')) !== passphrase) {
    throw new StartupError('The two passphrases differ. Run the command again.');
  }
  return passphrase;
}

/** Asks without showing what is typed. */
async function ask(question: string): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  // After the line above, which keeps the terminal from showing what is typed.
  process.stderr.write(question);
  const aborted = new AbortController();
  lines.once('SIGINT', () => aborted.abort());
  lines.once('close', () => aborted.abort());
  try {
    return await lines.question('', { signal: aborted.signal });
  } catch (error) {
    throw new StartupError('No passphrase was entered. Nothing was changed.', [], { cause: error });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

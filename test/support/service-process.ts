import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from '../../core/support/package-root.ts';
import { withDeadline } from '../../core/support/deadline.ts';

/** The built command line. */
export const builtCommand = join(packageRoot, 'dist', 'cli', 'main.js');

/** For a command, which takes half a second, on a machine that is busy with much else. A test has this for each of its commands. */
export const ENDS_WITHIN_MS = 60_000;

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The service as a process of its own. */
export interface ServiceProcess {
  /** The address that it printed, without path. */
  readonly url: string;
  readonly child: ChildProcess;
  output(): Omit<Finished, 'code'>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Finished>;
}

type Environment = Readonly<Record<string, string>>;

function launch(args: readonly string[], env: Environment, cwd: string) {
  const child = spawn(process.execPath, [builtCommand, ...args], {
    cwd,
    // Settings of the developer's shell must not leak into the service under test.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
  const finished = new Promise<Finished>((resolve) =>
    child.on('close', (code) => resolve({ code, ...text })),
  );
  return { child, text, finished };
}

/** Runs `vitrine` with arguments to its end. Throws with its output when that does not come. */
export async function runCommand(
  args: readonly string[],
  env: Environment,
  cwd = packageRoot,
  endsWithinMs = ENDS_WITHIN_MS,
): Promise<Finished> {
  const { child, text, finished } = launch(args, env, cwd);
  const hangs = (): never => {
    child.kill('SIGKILL');
    const said = `${text.stdout}\n${text.stderr}`;
    throw new Error(`"vitrine ${args.join(' ')}" did not end within ${endsWithinMs / 1000} s:\n${said}`);
  };
  return withDeadline(endsWithinMs, finished, hangs);
}

/** Starts the service on a free port and waits until it says where it serves. Throws with its output when it ends. */
export async function startService(
  env: Environment,
  options: readonly string[] = [],
  cwd = packageRoot,
): Promise<ServiceProcess> {
  const { child, text, finished } = launch(['start', ...options], { PORT: '0', ...env }, cwd);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const said = /serves at (https?:\/\/\S+)/.exec(text.stdout);
      if (said) resolve(said[1]!);
    });
    void finished.then(({ code, stdout, stderr }) =>
      reject(new Error(`the service ended with ${code} before it served:\n${stdout}\n${stderr}`)),
    );
  });
  return {
    url,
    child,
    output: () => ({ ...text }),
    end: (signal = 'SIGTERM') => {
      child.kill(signal);
      return finished;
    },
  };
}

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../../core/support/package-root.ts';
import type { Balancer, ReadinessChecks } from './balancer.ts';
import { freePort } from './free-port.ts';

/** The committed configuration. */
export const haproxyFile = join(packageRoot, 'deploy', 'compose', 'haproxy.cfg');

/** One line of the configuration, without comments, in words. */
export interface Directive {
  /** `defaults`, `frontend public`, `backend vitrine`, … */
  readonly section: string;
  readonly words: readonly string[];
}

const SECTIONS = ['global', 'defaults', 'frontend', 'backend', 'resolvers'];

/** The directives in order. Knows as much of the language as the committed file uses. */
export function haproxyDirectives(): readonly Directive[] {
  let section = '';
  return readFileSync(haproxyFile, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const words =
        line.match(/'[^']*'|"[^"]*"|[^\s#'"]+|#.*/g)?.filter((word) => !word.startsWith('#')) ?? [];
      if (SECTIONS.includes(words[0] ?? '')) section = words.join(' ');
      return words.length > 0 ? [{ section, words }] : [];
    });
}

/** Milliseconds of `500ms`, `2s` or `5m`. */
export function milliseconds(text: string): number {
  const [, number, unit] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  if (!number || !unit) throw new Error(`"${text}" is no duration of the form that is used here.`);
  return Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm'];
}

/** When the committed configuration takes an instance out and puts it in. */
export function haproxyChecks(): ReadinessChecks {
  const directives = haproxyDirectives();
  const wordsOf = (section: string, ...first: string[]): readonly string[] => {
    const found = directives.find(
      ({ section: at, words }) => at === section && first.every((word, index) => words[index] === word),
    );
    if (!found) throw new Error(`haproxy.cfg has no "${first.join(' ')}" in "${section}".`);
    return found.words;
  };
  const after = (words: readonly string[], word: string): string => words[words.indexOf(word) + 1] ?? '';
  const server = wordsOf('backend vitrine', 'default-server');
  return {
    path: after(wordsOf('backend vitrine', 'http-check', 'send'), 'uri'),
    interMs: milliseconds(after(server, 'inter')),
    fastMs: milliseconds(after(server, 'fastinter')),
    timeoutMs: milliseconds(wordsOf('defaults', 'timeout', 'check')[2] ?? ''),
    fall: Number(after(server, 'fall')),
    rise: Number(after(server, 'rise')),
  };
}

/** `HAProxy version 3.0.11 …`, or nothing when there is none on the PATH. */
export function haproxyVersion(): string | undefined {
  const { stdout, error } = spawnSync('haproxy', ['-v'], { encoding: 'utf8' });
  return error ? undefined : stdout.split('\n')[0];
}

/** Runs HAProxy with the committed configuration in front of three instances. */
export async function startHaproxy(addresses: readonly string[]): Promise<Balancer & { log(): string }> {
  const port = await freePort();
  const [VITRINE_1, VITRINE_2, VITRINE_3] = addresses;
  const child = spawn('haproxy', ['-f', haproxyFile, '-db'], {
    env: { PATH: process.env['PATH'], BIND: `127.0.0.1:${port}`, VITRINE_1, VITRINE_2, VITRINE_3 },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await Promise.race([
    accepting(port),
    ended.then(() => Promise.reject(new Error(`HAProxy ended:\n${log}`))),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => log,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await pause(25);
  }
  throw new Error(`Nobody listens on port ${port}.`);
}

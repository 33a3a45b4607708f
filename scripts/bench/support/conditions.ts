import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { packageVersion } from '../../../core/support/package-root.ts';
import { canPin } from './cores.ts';
import { haltPolling } from './halt-polling.ts';
import { nginxVersion } from './nginx.ts';
import { postgresVersion } from './postgres.ts';

/** Under what conditions figures came about: without them they say nothing. */
export async function conditions(): Promise<string[]> {
  const processors = cpus();
  const polling = haltPolling();
  return [
    `- Date: ${new Date().toISOString()}; load average of the machine before: ${loadavg()[0]!.toFixed(1)}`,
    `- Machine: ${processors.length} × ${processors[0]!.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`,
    `- Vitrine ${packageVersion()} at ${revision()}, Node ${process.versions.node}, better-sqlite3 ${versionOf('better-sqlite3')}, PostgreSQL ${await postgresVersion()}`,
    `- Peers: fastify ${versionOf('fastify')}, @fastify/http-proxy ${versionOf('@fastify/http-proxy')}, undici ${versionOf('undici')}, koa ${versionOf('koa')}, ${nginxVersion() ?? 'no nginx on the PATH'}`,
    canPin
      ? '- Each server is held to the first core; load and upstream share the second; PostgreSQL runs where it likes.'
      : '- There is no `taskset`, or only one core: nothing is held to a core, and the figures are rough.',
    ...(polling === undefined ? [] : [`- A core that waits halts after ${polling} µs of polling.`]),
  ];
}

function versionOf(name: string): string {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    try {
      return (JSON.parse(readFileSync(`${folder}/${name}/package.json`, 'utf8')) as { version: string })
        .version;
    } catch {
      continue;
    }
  }
  return 'unknown';
}

function revision(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'an unknown revision';
  }
}

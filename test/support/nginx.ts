import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../core/support/package-root.ts';
import { until } from './until.ts';

/** The program; `NGINX` names one that is not on the PATH. */
const nginx = process.env['NGINX'] ?? 'nginx';

/** `nginx version: …`, or nothing when there is none. */
export function nginxVersion(): string | undefined {
  const { stderr, error } = spawnSync(nginx, ['-v'], { encoding: 'utf8' });
  return error ? undefined : stderr.trim();
}

/** The blocks for nginx on the page about deployment, in order. */
export function nginxSnippets(): readonly string[] {
  const page = readFileSync(join(packageRoot, 'docs', 'deployment.md'), 'utf8');
  return [...page.matchAll(/^```nginx\n(.*?)^```$/gms)].map(([, snippet]) => snippet!);
}

/** Runs nginx on a port with a snippet of the page in its only server. */
export async function startNginx(
  snippet: string,
  { port, servicePort }: { readonly port: number; readonly servicePort: number },
): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'vitrine-nginx-'));
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http {
  access_log off;
  ${scratch.join(' ')}
  server {
    listen 127.0.0.1:${port};
    ${snippet.replaceAll('127.0.0.1:3000', `127.0.0.1:${servicePort}`)}
  }
}
`,
  );
  const child = spawn(nginx, ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const answers = until(() =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    ),
  );
  await Promise.race([answers, ended.then(() => Promise.reject(new Error(`nginx ended:\n${log}`)))]);
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { placed } from './cores.ts';
import { ended } from './program.ts';

/** `nginx/1.24.0`, or nothing when there is none on the PATH. */
export function nginxVersion(): string | undefined {
  const { stderr, error } = spawnSync('nginx', ['-v'], { encoding: 'utf8' });
  return error ? undefined : /nginx\/\S+/.exec(stderr)?.[0];
}

/** Starts nginx as a reverse proxy with one worker, and waits until it accepts connections. */
export async function startNginx(
  upstreamPort: number,
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
  const port = await freePort();
  const file = join(directory, 'nginx.conf');
  writeFileSync(file, configuration(directory, port, upstreamPort));
  const [command, words] = placed('server', 'nginx', ['-p', directory, '-c', file]);
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'ignore'] });
  const stop = async (): Promise<void> => {
    await ended(child, () => child.kill('SIGTERM'));
    rmSync(directory, { recursive: true, force: true });
  };
  await accepting(port);
  return { port, stop };
}

function configuration(directory: string, port: number, upstreamPort: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off; worker_processes 1; pid ${directory}/pid; error_log ${directory}/error.log;
    events { worker_connections 1024; }
    http {
      access_log off; keepalive_requests 1000000000;
      ${folders.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ')}
      upstream endpoint { server 127.0.0.1:${upstreamPort}; keepalive 64; keepalive_requests 1000000000; }
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://endpoint; proxy_http_version 1.1; proxy_set_header Connection ""; }
      }
    }`;
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function accepting(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect({ port, host: '127.0.0.1' }, () => resolve(true));
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
    });
    if (isOpen) return;
    await pause(50);
  }
  throw new Error('nginx does not accept connections.');
}

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below what systems hand out on their own, so that nobody is given it while a restarted process is away from it. */
const LOWEST = 10_240;
const HIGHEST = 32_000;

/** A port of 127.0.0.1 that nobody listens on now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

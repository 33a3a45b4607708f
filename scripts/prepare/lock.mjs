import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './files.mjs';
import { say } from './run.mjs';

const LOCK = join(root, '.vitrine-prepare.lock');

/** Runs work while no other `prepare` works in this clone: `npm start` and `npm test` may be typed at once. */
export async function withLock(work) {
  for (let waited = 0; !acquired(); waited++) {
    if (waited === 0) say('another command is preparing this clone; waiting for it …');
    await sleep(200);
  }
  try {
    await work();
  } finally {
    rmSync(LOCK, { force: true });
  }
}

function acquired() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!ownerLives()) rmSync(LOCK, { force: true });
    return false;
  }
}

/** A killed `prepare` leaves its lock behind; its process id tells. An empty file is a lock being taken. */
function ownerLives() {
  try {
    const owner = readFileSync(LOCK, 'utf8');
    if (owner === '') return Date.now() - statSync(LOCK).mtimeMs < 10_000;
    process.kill(Number(owner), 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT';
  }
}

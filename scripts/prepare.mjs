/**
 * Makes a clone runnable: installs and builds what is missing or stale, and is silent when there is nothing to do.
 * Runs before `npm start` and `npm test` with nothing but Node, so it has no dependencies.
 */
import { buildIfStale } from './prepare/build.mjs';
import { installIfStale } from './prepare/install.mjs';
import { withLock } from './prepare/lock.mjs';
import { refuseOldNode } from './prepare/node-version.mjs';

try {
  refuseOldNode(process.versions.node);
  await withLock(async () => {
    await installIfStale();
    await buildIfStale();
  });
} catch (error) {
  console.error(`\nvitrine: ${error.message}`);
  process.exitCode = 1;
}

import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { makeScratch } from '../../core/testing.ts';
import { startService } from '../support/service-process.ts';

/** From the start of the process to the first answer, on a database that exists: the most that a start may take. */
const TARGET_MS = 1500;
/** On a slow machine so many times what Node takes to start with nothing to do: 8 to 9 where it takes 90 ms. */
const TARGET_IN_BARE_STARTS = 13;

function bareStart(): number {
  const began = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - began;
}

describe('start-up', () => {
  it(`takes less than ${TARGET_MS} ms from the start to the first answer on an existing SQLite database`, async () => {
    const scratch = await makeScratch('sqlite');
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl };
    const start = async (): Promise<number> => {
      const began = performance.now();
      const service = await startService(env);
      const { status } = await fetch(`${service.url}/api/v1/algorithms`);
      const took = performance.now() - began;
      expect(status).to.equal(200);
      await service.end();
      return took;
    };
    try {
      await start();
      // The machine may be busy with something else: the best of three says what the service can do.
      const rounds = [];
      for (let round = 0; round < 3; round += 1) rounds.push({ bare: bareStart(), full: await start() });
      const bare = Math.min(...rounds.map((round) => round.bare));
      const full = Math.min(...rounds.map((round) => round.full));
      expect(full).to.be.below(Math.max(TARGET_MS, TARGET_IN_BARE_STARTS * bare));
    } finally {
      await scratch.remove();
    }
  });
});

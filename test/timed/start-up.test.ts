import { expect } from 'chai';
import { makeScratch } from '../../core/testing.ts';
import { startService } from '../support/service-process.ts';

/** Start to first answer on an existing database. */
const TARGET_MS = 1500;

describe('start-up', () => {
  it(`takes less than ${TARGET_MS} ms from the start to the first answer on an existing SQLite database`, async () => {
    const scratch = await makeScratch('sqlite');
    const env = { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl };
    const once = async (): Promise<number> => {
      const began = performance.now();
      const service = await startService(env);
      const { status } = await fetch(`${service.url}/api/v1/algorithms`);
      const took = performance.now() - began;
      expect(status).to.equal(200);
      await service.end();
      return took;
    };
    try {
      await once();
      // The machine may be busy with something else: the best of three says what the service can do.
      const times = [await once(), await once(), await once()];
      expect(Math.min(...times)).to.be.below(TARGET_MS);
    } finally {
      await scratch.remove();
    }
  });
});

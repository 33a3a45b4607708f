import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect } from 'chai';
import pg from 'pg';
import { onEveryEngine, type TestRequest, type TestResponse } from '../../core/testing.ts';
import type { Engine } from '../../core/index.ts';
import { growthDuring, hasProc } from '../support/resident-memory.ts';
import { startUpstream, type Upstream } from '../support/upstream.ts';
import { startScene, type Scene } from './support/scene.ts';

const AT_ONCE = 100;
const MEBIBYTE = 1024 * 1024;
const OUTPUT = Buffer.from(JSON.stringify({ text: 'x'.repeat(8 * MEBIBYTE - 64) }));
/** 64 MiB may be held; the rest is what reading them left behind, and answers on their way. Without a bound it is 750 to 880. */
const MOST_GROWTH = 400 * MEBIBYTE;
/** It is slow until calls are refused, and for so many rounds more; or else until so many outputs came. */
const FURTHER_ROUNDS = 1;
const TOO_MANY = 60;
/** A store is slow, and not away, that takes a batch of records now and then. */
const HELD_MS = 2_000;
const FREE_MS = 300;

/** Has the store take records, or not. */
interface Hold {
  on(): unknown;
  off(): unknown;
  end(): unknown;
}

const holds: Record<Engine, (scene: Scene) => Promise<Hold>> = {
  sqlite: async ({ scratch }) => {
    const other = new Sqlite(join(scratch.dataDir, 'test.db'));
    return {
      on: () => other.exec('BEGIN IMMEDIATE'),
      off: () => other.exec('ROLLBACK'),
      end: () => other.close(),
    };
  },
  postgres: async ({ scratch }) => {
    const other = new pg.Client({ connectionString: scratch.databaseUrl });
    await other.connect();
    return {
      on: () => other.query('BEGIN; LOCK TABLE invocation_calls IN SHARE ROW EXCLUSIVE MODE'),
      off: () => other.query('ROLLBACK'),
      end: () => other.end(),
    };
  },
};

(hasProc ? describe : describe.skip)(`${AT_ONCE} outputs of 8 MiB while the store is slow`, () => {
  onEveryEngine((engine) => {
    let scene: Scene;
    let talkative: Upstream;
    let call: TestRequest;
    let hold: Hold;
    /** Outputs that were sent to their end. */
    let came: number;
    before(async () => {
      came = 0;
      talkative = await startUpstream((_, response) => {
        response.on('finish', () => (came += 1));
        response.setHeader('content-type', 'application/json').end(OUTPUT);
      });
      scene = await startScene(engine);
      const { token } = scene;
      const { algorithm_id } = scene.version;
      const version = { version: 'talkative', url: talkative.url };
      const made = await scene.request('POST', `/algorithms/${algorithm_id}/versions`, {
        token,
        body: version,
      });
      call = { token, body: { algorithm_id, version_id: made.body.id, input_data: {} } };
      hold = await holds[engine](scene);
    });
    after(async () => {
      await hold.end();
      await scene.remove();
      await talkative.stop();
    });

    it('take little memory, and new calls are refused until it stores them', async () => {
      let refusedFor = 0;
      const probe = async (): Promise<void> => {
        const { status, body } = await scene.request('POST', '/algorithms/call', {
          token: scene.token,
          body: { ...scene.version, input_data: {} },
        });
        if (`${status} ${body.code}` === '503 overloaded') refusedFor += 1;
      };
      let answers: TestResponse[] = [];
      const growth = await growthDuring(scene.pid, async () => {
        const calls = Array.from({ length: AT_ONCE }, () => scene.request('POST', '/algorithms/call', call));
        const probes: Promise<void>[] = [];
        while (refusedFor <= FURTHER_ROUNDS && came < TOO_MANY) {
          await hold.on();
          await pause(HELD_MS);
          probes.push(probe());
          await hold.off();
          await pause(FREE_MS);
        }
        await Promise.all(probes);
        answers = await Promise.all(calls);
      });
      expect(refusedFor).to.be.above(FURTHER_ROUNDS);
      expect(growth).to.be.below(MOST_GROWTH);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
    }).timeout(120_000);
  });
});

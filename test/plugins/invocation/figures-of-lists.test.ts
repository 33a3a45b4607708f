import { expect } from 'chai';
import { onEveryEngine, systemClock } from '../../../core/testing.ts';
import { recordAt, store } from './support/records.ts';
import { startStage, type Stage } from './support/stage.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

interface Listed {
  readonly name: string;
  readonly stats: unknown;
}

describe('Figures of calls in the list of algorithms', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let ids: Record<string, string>;
    let later = 0;
    before(async () => {
      stage = await startStage(engine, undefined, { clock: { ...systemClock, now: () => NOON + later } });
      ids = {};
      for (const [name, access] of [
        ['often', 'open'],
        ['never', 'open'],
        ['well', 'open'],
        ['secret', 'private'],
      ] as const)
        ids[name] = (await stage.play({ algorithm: { name, access } })).algorithm_id;
      const days = ['2026-10-22', '2026-10-23', '2026-11-20', '2026-11-21'];
      const at = (name: string, day: string, status: 'success' | 'failed' = 'success') =>
        recordAt(`${day}T11:00:00.000Z`, { algorithm_id: ids[name]!, status });
      await store(stage, [
        ...days.map((day) => at('often', day)),
        at('often', '2026-11-21', 'failed'),
        at('often', '2026-11-21', 'failed'),
        at('well', '2026-11-20'),
        ...days.flatMap((day) => [at('secret', day), at('secret', day)]),
      ]);
    });
    after(() => stage.stop());

    const list = async (query: string, token?: string): Promise<Listed[]> => {
      const { body } = await stage.request('GET', `/algorithms?${query}`, token ? { token } : {});
      return body.algorithms;
    };
    const names = async (query: string, token?: string) => (await list(query, token)).map(({ name }) => name);
    const statsOf = async (name: string) =>
      (await list('stats=true')).find((algorithm) => algorithm.name === name)?.stats;
    const daysOf = (counts: readonly number[]) => [...Array(30 - counts.length).fill(0), ...counts];

    it('are all calls, the share that went well, and the last thirty days, today last', async () => {
      const days = daysOf([1, 3]);
      days[0] = 1;
      expect(await statsOf('often')).to.deep.equal({ calls: 6, success_rate: 66.6667, days });
      expect(await statsOf('well')).to.deep.equal({ calls: 1, success_rate: 100, days: daysOf([1, 0]) });
    });

    it('are zeros where nothing was called', async () => {
      expect(await statsOf('never')).to.deep.equal({ calls: 0, success_rate: 0, days: daysOf([]) });
    });

    it('are left out unless they are asked for', async () => {
      for (const algorithm of await list('sort=calls')) expect(algorithm).to.not.have.property('stats');
    });

    for (const [sort, expected] of [
      ['-calls', ['often', 'well', 'never']],
      ['calls', ['never', 'well', 'often']],
      ['-success', ['well', 'often', 'never']],
      ['success', ['often', 'well', 'never']],
      ['-calls&q=e&skip=1&limit=1', ['well']],
    ] as const) {
      it(`sort the list by ${sort}`, async () => {
        expect(await names(`sort=${sort}`)).to.deep.equal(expected);
      });
    }

    it('sort private algorithms for those who see them only', async () => {
      expect(await names('sort=-calls&limit=1', stage.alice)).to.deep.equal(['often']);
      expect(await names('sort=-calls&limit=1', stage.admin)).to.deep.equal(['secret']);
    });

    it('sort by counts of the last ten seconds', async () => {
      await names('sort=-calls');
      const call = () => recordAt('2026-11-21T11:00:00.000Z', { algorithm_id: ids['well']! });
      await store(stage, Array.from({ length: 9 }, call));
      later = 9_000;
      expect((await names('sort=-calls'))[0]).to.equal('often');
      later = 11_000;
      expect((await names('sort=-calls'))[0]).to.equal('well');
    });
  });
});

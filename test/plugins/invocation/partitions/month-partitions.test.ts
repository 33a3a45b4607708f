import { expect } from 'chai';
import { DATABASE } from '../../../../core/index.ts';
import { makeScratch, onEveryEngine, type Scratch } from '../../../../core/testing.ts';
import { CALL_LOG } from '../../../../plugins/invocation/contract.ts';
import { clockAt, liveThrough, makeMonths, monthsFrom, partitionNames, placeOf } from '../support/months.ts';
import { recordAt, store, storeWhile } from '../support/records.ts';
import { startStage, type Stage } from '../support/stage.ts';

const everything = { skip: 0, limit: 1000 };

/** The months before the one in which the migration ran, and an instance that lives in them. */
const clock = clockAt('2025-03-10T12:00:00Z');

async function inMarch(): Promise<Stage> {
  clock.set('2025-03-10T12:00:00Z');
  return startStage('postgres', undefined, { clock });
}

/** Stores one record for each time and answers where it lies. */
async function placesOf(stage: Stage, times: readonly string[]): Promise<(string | undefined)[]> {
  const records = times.map((time) => recordAt(time));
  for (const record of records) await store(stage, [record]);
  return Promise.all(records.map(({ id }) => placeOf(stage, id)));
}

describe('The partitions of call records', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await inMarch();
  });
  afterEach(() => stage.stop());

  it('are made for the coming months at the start', async () => {
    const names = await partitionNames(stage);
    expect(names.slice(0, 4)).to.deep.equal(['first', '2025_04', '2025_05', '2025_06']);
  });

  it('are made ahead of time while the service runs', async () => {
    await liveThrough(stage, clock, ['2025-04', '2025-05', '2025-06']);
    const names = await partitionNames(stage);
    expect(names.slice(0, 7)).to.deep.equal([
      'first',
      '2025_04',
      '2025_05',
      '2025_06',
      '2025_07',
      '2025_08',
      '2025_09',
    ]);
    await makeMonths(stage);
    expect(await partitionNames(stage)).to.deep.equal(names);
  });

  it('hold the records of their month, to the millisecond', async () => {
    const times = [
      '2025-03-31T23:59:59.999Z',
      '2025-04-01T00:00:00.000Z',
      '2025-04-30T23:59:59.999Z',
      '2025-05-01T00:00:00.000Z',
    ];
    expect(await placesOf(stage, times)).to.deep.equal(['first', '2025_04', '2025_04', '2025_05']);
  });

  it('leave no gap, also when a clock is wrong', async () => {
    const times = ['1970-01-01T00:00:00.001Z', '2025-03-10T00:00:00Z', '2099-07-01T00:00:00Z'];
    const places = await placesOf(stage, times);
    const names = await partitionNames(stage);
    expect(places).to.deep.equal(['first', 'first', names.at(-1)]);
    expect(await stage.get(CALL_LOG).list({}, everything)).to.have.length(3);
  });

  it('are made beside records of clocks that run ahead, which are moved', async () => {
    const ahead = recordAt('2031-05-05T00:00:00Z');
    await store(stage, [ahead]);
    await liveThrough(stage, clock, ['2025-04', '2031-04']);
    expect(await placeOf(stage, ahead.id)).to.equal('2031_05');
    expect(await stage.get(CALL_LOG).find(ahead.id)).to.include({ id: ahead.id });
  });

  it('are made by a right clock after a wrong one stored years together', async () => {
    await liveThrough(stage, clock, ['2040-01', '2025-03']);
    await liveThrough(stage, clock, ['2029-06', '2029-07']);
    expect(await partitionNames(stage)).to.include.members([
      '2029_07',
      '2029_08',
      '2029_09',
      '2029_10',
      '2040_02',
    ]);
    expect(await placesOf(stage, ['2029-08-15T00:00:00Z'])).to.deep.equal(['2029_08']);
  });

  it('are not made by a clock far behind at the cost of moving everything', async function () {
    this.timeout(60_000);
    const began = Date.parse('2025-03-01T00:00:00Z');
    for (let n = 0; n <= 10_000; n += 1000) {
      const some = Array.from({ length: 1000 }, (_, i) => recordAt(new Date(began + n + i).toISOString()));
      await store(stage, some);
    }
    const names = await partitionNames(stage);
    await liveThrough(stage, clock, ['1999-12']);
    expect(await partitionNames(stage)).to.deep.equal(names);
  });

  it('store what arrives after months without the service', async () => {
    const { scratch } = stage;
    await stage.play();
    clock.set('2025-11-05T00:00:00Z');
    const later = await startStage('postgres', undefined, { clock, scratch });
    const places = await placesOf(later, [
      '2025-04-15T00:00:00Z',
      '2025-11-05T00:00:00Z',
      '2025-12-01T00:00:00Z',
    ]);
    await later.stop();
    expect(places).to.deep.equal(['2025_04', '2025_06', '2025_12']);
  });

  it('are made after a long read, for which calls do not wait', async function () {
    this.timeout(60_000);
    const reader = await stage.get(DATABASE).knex.transaction();
    await reader.raw('SELECT 1 FROM invocation_calls LIMIT 1');
    clock.set('2025-04-02T00:00:00Z');
    let isMade = false;
    const making = makeMonths(stage).then(() => (isMade = true));
    await storeWhile(stage, '2025-04-02T00:00:00Z', (stored) => stored < 40);
    const wasMade = isMade;
    await reader.rollback();
    await making;
    expect(wasMade).to.equal(false);
    expect(await partitionNames(stage)).to.include('2025_07');
    expect(await stage.get(CALL_LOG).count({})).to.equal(40);
  });
});

describe('The partitions of call records with several instances', () => {
  let scratch: Scratch;
  let stages: Stage[] = [];
  const lines: string[] = [];
  beforeEach(async () => {
    scratch = await makeScratch('postgres');
    clock.set('2025-03-10T12:00:00Z');
    const log = { write: (line: string) => void lines.push(line) };
    stages = [await startStage('postgres', undefined, { clock, scratch, log })];
    await stages[0]!.play();
    stages.push(await startStage('postgres', undefined, { clock, scratch, log }));
    lines.length = 0;
  });
  afterEach(async () => {
    await Promise.all(stages.map((stage) => stage.stop()));
    await scratch.remove();
  });

  it('are made once, without warnings', async () => {
    for (const month of ['2025-04', '2025-05', '2025-06']) {
      clock.set(`${month}-01T00:10:00Z`);
      await Promise.all(stages.map(makeMonths));
    }
    const names = await partitionNames(stages[1]!);
    expect(names.slice(0, 7).at(-1)).to.equal('2025_09');
    expect(new Set(names).size).to.equal(names.length);
    expect(lines.filter((line) => /"level":"(warn|error|fatal)"/.test(line))).to.deep.equal([]);
  });

  it('are made while calls go on', async function () {
    this.timeout(60_000);
    let isDone = false;
    const making = (async () => {
      for (const month of monthsFrom('2041-01', '2042-12')) {
        clock.set(`${month}-01T00:00:00Z`);
        await makeMonths(stages[1]!);
      }
    })().finally(() => (isDone = true));
    const stored = (await storeWhile(stages[0]!, '2025-03-10T12:00:00Z', () => !isDone)).length;
    await making;
    expect(stored).to.be.greaterThan(20);
    expect(await stages[0]!.get(CALL_LOG).count({})).to.equal(stored);
  });
});

describe('Records that are named by clocks that jump', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => {
      clock.set('2025-05-31T23:30:00Z');
      stage = await startStage(engine, undefined, { clock });
    });
    after(() => stage.stop());

    it('are stored, found, listed in their order and counted', async () => {
      const times = [
        '2025-05-31T23:59:00Z',
        '2025-06-01T01:59:00Z',
        '2025-05-31T22:01:00Z',
        '2025-06-01T00:00:00Z',
        '1996-02-29T00:00:00Z',
        '2125-01-01T00:00:00Z',
      ];
      const records = times.map((time) => recordAt(time));
      for (const record of records) await store(stage, [record]);
      const log = stage.get(CALL_LOG);
      const ids = records.map(({ id }) => id).sort();
      const listed = await log.list({}, everything);
      expect(listed.map(({ id }) => id)).to.deep.equal(ids.toReversed());
      for (const id of ids) expect(await log.find(id)).to.include({ id });
      const june = { from: Date.UTC(2025, 5, 1), until: Date.UTC(2025, 6, 1) };
      expect([await log.count({}), await log.count(june)]).to.deep.equal([6, 2]);
    });
  });
});

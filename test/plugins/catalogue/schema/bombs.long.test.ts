import { expect } from 'chai';
import { existsSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { bombs, type Bomb } from '../support/bombs.ts';
import { faultsOf, openValidator, type ValidatorUnderTest } from '../support/validator.ts';

const LONGEST_ANSWER_MS = 500;
/** However busy the machine is: deadlines count processor time, up to five times as long on the wall. */
const LONGEST_WAIT_MS = 5_000;
const LONGEST_LAG_MS = 50;
/** What is slow by itself is slow every time; what is slow because of others on the machine is not. */
const TRIES = 3;
const OWN_TIME = '/proc/thread-self/schedstat';

interface Timed {
  readonly waitedMs: number;
  /** No more than this process was on a processor: others on the machine make it wait as well. */
  readonly workedMs: number;
}

interface Course {
  readonly name: string;
  /** The longer ones of saving the schema, and of checking the value where it was accepted. */
  readonly waitedMs: number;
  readonly workedMs: number;
  /** Longest time for which the main thread did nothing else. */
  readonly lagMs: number;
  readonly outcome: 'refused' | 'too costly' | 'checked';
}

function isInTime({ waitedMs, workedMs }: Course): boolean {
  return workedMs <= LONGEST_ANSWER_MS && waitedMs <= LONGEST_WAIT_MS;
}

function isHarmless(course: Course): boolean {
  return isInTime(course) && course.lagMs <= LONGEST_LAG_MS;
}

/** Milliseconds for which this thread was on a processor; where the system does not say, those on the wall. */
function ownMs(): number {
  if (!existsSync(OWN_TIME)) return performance.now();
  return Number(readFileSync(OWN_TIME, 'utf8').split(' ')[0]) / 1e6;
}

describe('More than 100 schemas and values that are made to be slow', function () {
  this.timeout(300_000);
  let under: ValidatorUnderTest;
  const courses: Course[] = [];

  async function timed<T>(work: () => Promise<T>): Promise<[T, Timed]> {
    const began = performance.now();
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    const waitedMs = performance.now() - began;
    return [result, { waitedMs, workedMs: Math.min(waitedMs, (user + system) / 1000) }];
  }

  async function outcomeOf({ schema, value }: Bomb): Promise<Course['outcome']> {
    try {
      await under.validator.checkFor(schema)(value);
      return 'checked';
    } catch (error) {
      if ((error as { code?: string }).code !== 'schema_too_costly') throw error;
      return 'too costly';
    }
  }

  /** The time that a thread takes to start is no fault of the bomb that comes after the one that ended it. */
  const untilWorkersAreThere = async () => {
    await faultsOf(under.validator, { pattern: 'a' });
    const check = under.validator.checkFor({ pattern: 'a' });
    for (let thread = 0; thread <= 2; thread += 1) await check('a');
  };

  async function course(bomb: Bomb): Promise<Course> {
    await untilWorkersAreThere();
    const lag = monitorEventLoopDelay({ resolution: 1 });
    const before = ownMs();
    lag.enable();
    const [faults, saving] = await timed(() => faultsOf(under.validator, bomb.schema));
    const [outcome, checking] =
      faults.length > 0 ? (['refused', saving] as const) : await timed(() => outcomeOf(bomb));
    lag.disable();
    return {
      name: bomb.name,
      waitedMs: Math.max(saving.waitedMs, checking.waitedMs),
      workedMs: Math.max(saving.workedMs, checking.workedMs),
      // What blocks the thread itself costs it processor time.
      lagMs: Math.min(lag.max / 1e6, ownMs() - before),
      outcome,
    };
  }

  async function bestCourse(bomb: Bomb): Promise<Course> {
    let last = await course(bomb);
    for (let round = 1; round < TRIES && !isHarmless(last); round += 1) last = await course(bomb);
    return last;
  }

  before(async () => {
    under = openValidator();
    for (const bomb of bombs) courses.push(await bestCourse(bomb));
  });
  after(() => under.stop());

  it('are more than 100', () => {
    expect(courses).to.have.length.greaterThan(100);
  });

  it('end in time, each of them', () => {
    const late = courses.filter((course) => !isInTime(course));
    expect(late).to.deep.equal([]);
  });

  it('leave the main thread to others', () => {
    const blocking = courses.filter(({ lagMs }) => lagMs > LONGEST_LAG_MS);
    expect(blocking).to.deep.equal([]);
  });

  it('are refused when saved, stopped when checked, or harmless', () => {
    const outcomes = new Set(courses.map(({ outcome }) => outcome));
    expect(outcomes).to.deep.equal(new Set(['refused', 'too costly', 'checked']));
  });

  it('leave working workers behind', async () => {
    expect(await faultsOf(under.validator, { pattern: '^a' })).to.deep.equal([]);
    expect(await under.validator.checkFor({ pattern: '^a' })('b')).to.have.length(1);
  });
});

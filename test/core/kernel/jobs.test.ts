import { expect } from 'chai';
import {
  CLOCK,
  DATABASE,
  definePlugin,
  defineSettings,
  HEALTH,
  job,
  LOGGER,
  setting,
  Type,
} from '../../../core/index.ts';
import { StartupError } from '../../../core/errors/startup-error.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { INSTALLATION } from '../../../core/kernel/installation.ts';
import type { Job, JobRun } from '../../../core/kernel/jobs/job.ts';
import { JobRunner } from '../../../core/kernel/jobs/job-runner.ts';
import { JobTable, LEASE_MS } from '../../../core/kernel/jobs/job-table.ts';
import { intervalSchedule } from '../../../core/kernel/jobs/schedule.ts';
import {
  makeScratch,
  onEveryEngine,
  startTestKernel,
  systemClock,
  type TestKernelOptions,
} from '../../../core/testing.ts';
import { until } from '../../support/until.ts';

const HOUR_MS = 3_600_000;
const MIDNIGHT = Date.UTC(2026, 0, 1);

function tidy(...jobs: readonly Job[]): PluginDefinition {
  return definePlugin({ id: 'tidy', version: '1.0.0', api: '^1.0', summary: 'Tidies', jobs });
}

/** A job that does what it is told to in each run. */
function sweep(run: (run: JobRun) => void | Promise<void>, more: Partial<Job> = {}): Job {
  const common = { name: 'sweep', summary: 'Sweeps', deps: {}, run };
  return job({ ...common, every: '1h', ...more } as never);
}

function clockAt(now: number): typeof systemClock & { set(now: number): void } {
  let current = now;
  return { ...systemClock, now: () => current, set: (time) => void (current = time) };
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (error: Error) => error.message,
  );
}

describe('jobs', () => {
  onEveryEngine((engine) => {
    const start = (job: Job, more: Partial<TestKernelOptions> = {}) =>
      startTestKernel({ engine, plugins: [tidy(job)], ...more });

    it('run on demand in a test, with their dependencies, and show how the run ended', async () => {
      const clock = clockAt(MIDNIGHT);
      const times: number[] = [];
      const noting = job({
        name: 'note',
        summary: 'Notes the time',
        every: '1h',
        deps: { clock: CLOCK },
        run: (_, deps) => void times.push(deps.clock.now()),
      });
      const kernel = await start(noting, { clock });
      await kernel.runJob('tidy:note');
      expect(times).to.deep.equal([MIDNIGHT]);
      const [state] = await kernel.get(INSTALLATION).jobs.list();
      const { durationMs } = state!.last!;
      expect(state).to.deep.equal({
        id: 'tidy:note',
        summary: 'Notes the time',
        schedule: 'every 1h',
        isRunning: false,
        dueAt: MIDNIGHT + HOUR_MS,
        last: { at: MIDNIGHT, durationMs, fault: undefined },
        failures: 0,
      });
      await kernel.stop();
    });

    it('run again and again when they are due, also after a run that failed', async () => {
      let runs = 0;
      const kernel = await start(
        sweep(
          () => {
            runs += 1;
            if (runs === 1) throw new Error('no broom');
          },
          { every: 100 },
        ),
        { runsJobs: true },
      );
      await until(() => runs >= 3);
      await kernel.stop();
      const after = runs;
      await new Promise((resolve) => setTimeout(resolve, 250));
      expect(runs).to.equal(after);
    });

    it('are run by one process of several, and never beside themselves', async () => {
      const scratch = await makeScratch(engine);
      const log: string[] = [];
      let running = 0;
      let most = 0;
      const named = (name: string) =>
        sweep(
          async () => {
            most = Math.max(most, (running += 1));
            await new Promise((resolve) => setTimeout(resolve, 20));
            running -= 1;
            log.push(name);
          },
          { every: 100 },
        );
      const began = performance.now();
      const one = await start(named('one'), { scratch, runsJobs: true });
      const two = await start(named('two'), { scratch, runsJobs: true });
      await until(() => log.length >= 5);
      const elapsed = performance.now() - began;
      await Promise.all([one.stop(), two.stop()]);
      expect(most).to.equal(1);
      expect(log.length).to.be.at.most(elapsed / 100 + 1);
      await scratch.remove();
    });

    it('that are unknown are refused with a sentence that names those that there are', async () => {
      const kernel = await start(sweep(() => undefined));
      const unknown = kernel.get(INSTALLATION).jobs.run('tidy:nothing');
      const error = await unknown.catch((refusal: unknown) => refusal);
      expect(error).to.be.instanceOf(StartupError);
      expect(error).to.include({ message: 'There is no job "tidy:nothing". Known are: tidy:sweep.' });
      await kernel.stop();
    });

    it('are taken over when the process that ran them died', async () => {
      const clock = clockAt(MIDNIGHT);
      let runs = 0;
      const kernel = await start(
        sweep(() => void (runs += 1)),
        { clock },
      );
      await kernel.runJob('tidy:sweep');
      await kernel
        .get(DATABASE)
        .knex('core_jobs')
        .update({ holder: 'a process that died', lease_until: MIDNIGHT + LEASE_MS });
      expect(await kernel.get(INSTALLATION).jobs.run('tidy:sweep')).to.equal(false);
      clock.set(MIDNIGHT + LEASE_MS);
      expect(await kernel.get(INSTALLATION).jobs.run('tidy:sweep')).to.equal(true);
      expect(runs).to.equal(2);
      await kernel.stop();
    });

    it('that were due while the service was down run once after the start', async () => {
      const scratch = await makeScratch(engine);
      const clock = clockAt(MIDNIGHT);
      let runs = 0;
      const nightly = sweep(() => void (runs += 1), { every: undefined, cron: '0 3 * * *' } as never);
      await (await start(nightly, { scratch, clock, runsJobs: true })).stop();
      expect(runs).to.equal(0);
      clock.set(MIDNIGHT + 80 * HOUR_MS);
      const kernel = await start(nightly, { scratch, clock, runsJobs: true });
      await until(() => runs === 1);
      await until(async () => (await kernel.get(INSTALLATION).jobs.list())[0]!.last !== undefined);
      expect((await kernel.get(INSTALLATION).jobs.list())[0]!.dueAt).to.equal(MIDNIGHT + (96 + 3) * HOUR_MS);
      await kernel.stop();
      await scratch.remove();
    });

    it('that fail show their fault, and degrade the health from the third time in a row', async () => {
      const kernel = await start(
        sweep(() => {
          throw new Error('no broom');
        }),
      );
      for (let run = 0; run < 3; run += 1) {
        expect((await kernel.get(INSTALLATION).jobs.list())[0]!.failures).to.equal(run);
        expect(await failure(kernel.runJob('tidy:sweep'))).to.equal('no broom');
      }
      expect((await kernel.get(INSTALLATION).jobs.list())[0]!.last!.fault).to.equal('no broom');
      const { findings } = await kernel.get(HEALTH).report();
      expect(findings['core:jobs']!.state).to.equal('degraded');
      await kernel.stop();
    });

    it('are aborted at their deadline, which is a fault', async () => {
      let lines = '';
      const kernel = await start(
        sweep(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())), {
          deadline: 50,
        }),
        { log: { write: (line) => void (lines += line) } },
      );
      expect(await failure(kernel.runJob('tidy:sweep'))).to.equal(
        'The run did not end within its deadline of 0.05 s.',
      );
      expect(lines).not.to.include('past its deadline');
      await kernel.stop();
    });

    it('that ignore their deadline are logged once, and do not run beside themselves', async () => {
      let lines = '';
      let end = (): void => undefined;
      const deaf = sweep(() => new Promise((resolve) => (end = resolve)), { deadline: 50 });
      const kernel = await start(deaf, { log: { write: (line) => void (lines += line) } });
      const overdue = (): number => lines.split('A job is past its deadline and has not ended').length - 1;
      const run = failure(kernel.runJob('tidy:sweep'));
      await until(() => overdue() > 0);
      expect(lines).to.match(/"level":"error".*"job":"tidy:sweep".*A job is past its deadline/);
      expect(await kernel.get(INSTALLATION).jobs.run('tidy:sweep')).to.equal(false);
      end();
      expect(await run).to.equal('The run did not end within its deadline of 0.05 s.');
      expect((await kernel.get(INSTALLATION).jobs.list())[0]!.failures).to.equal(1);
      expect(overdue()).to.equal(1);
      await kernel.stop();
    });

    it('that were about to run when the service stops are not begun, and the stop waits for their row', async () => {
      const kernel = await start(sweep(() => undefined));
      const database = kernel.get(DATABASE);
      const table = new JobTable(database, 'a process that stops');
      const runner = new JobRunner({ table, clock: systemClock, logger: kernel.get(LOGGER) });
      let runs = 0;
      const bound = {
        id: 'tidy:sweep',
        summary: 'Sweeps',
        schedule: intervalSchedule('1h'),
        deadlineMs: 1_000,
        run: () => void (runs += 1),
      };
      let stopping: Promise<void> | undefined;
      database.knex.on('query-response', (_rows: unknown, { sql }: { sql: string }) => {
        if (sql.includes('holder')) stopping ??= runner.stop();
      });
      let isOver = false;
      const run = runner.run(bound, { isDue: false }).finally(() => (isOver = true));
      await until(() => stopping !== undefined);
      await stopping;
      expect(isOver, 'the run is over when the stop is').to.equal(true);
      expect(await run).to.equal(undefined);
      expect(runs).to.equal(0);
      expect(await table.row(bound.id)).to.include({ holder: null, lease_until: 0, ended_at: null });
      expect(await runner.run(bound, { isDue: false }), 'after the stop').to.equal(undefined);
      await kernel.stop();
    });

    it('are aborted when the service stops, and are due again at once', async () => {
      const scratch = await makeScratch(engine);
      let runs = 0;
      const hanging = sweep(
        ({ signal }) => {
          runs += 1;
          return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
        },
        { every: 100 },
      );
      const kernel = await start(hanging, { scratch, runsJobs: true });
      await until(() => runs === 1);
      await kernel.stop();
      const again = await start(hanging, { scratch });
      const [state] = await again.get(INSTALLATION).jobs.list();
      expect([state!.isRunning, state!.last, state!.failures]).to.deep.equal([false, undefined, 0]);
      await again.stop();
      await scratch.remove();
    });
  });

  describe('declared wrongly stop the start', () => {
    const faults: readonly (readonly [title: string, more: object, sentence: string])[] = [
      ['an interval that is none', { every: '5 minutes' }, 'its job "sweep" has the interval "5 minutes"'],
      ['an interval of nothing', { every: 0 }, 'from 100 ms to 365 days'],
      ['a cron expression that is none', { every: undefined, cron: 'daily' }, 'expression "daily"'],
      ['a day that never comes', { every: undefined, cron: '0 0 31 2 *' }, 'which matches no date'],
      [
        'an unknown zone',
        { every: undefined, cron: '0 3 * * *', timeZone: 'Mars/Base' },
        'in the zone "Mars/Base"',
      ],
      ['no time at all', { every: undefined }, 'needs either "every" or "cron"'],
      ['both times', { cron: '0 3 * * *' }, 'needs either "every" or "cron"'],
      ['a deadline that is none', { deadline: 'soon' }, 'has the deadline "soon"'],
      ['a name that is none', { name: 'Sweep it' }, 'needs a name in lower case'],
    ];
    for (const [title, more, sentence] of faults) {
      it(title, async () => {
        const plugins = [tidy(sweep(() => undefined, more as never))];
        const message = await failure(startTestKernel({ engine: 'sqlite', plugins }));
        expect(message).to.include('Plugin "tidy": ').and.include(sentence);
      });
    }

    it('two of one name', async () => {
      const twice = tidy(
        sweep(() => undefined),
        sweep(() => undefined),
      );
      expect(await failure(startTestKernel({ engine: 'sqlite', plugins: [twice] }))).to.include('two jobs');
    });

    it('a schedule that throws', async () => {
      const odd = job({
        name: 'sweep',
        summary: 'Sweeps',
        deps: {},
        every: () => {
          throw new Error('No time.');
        },
        run: () => undefined,
      });
      expect(await failure(startTestKernel({ engine: 'sqlite', plugins: [tidy(odd)] }))).to.equal(
        'Plugin "tidy": its job "sweep" has a schedule that throws: No time.',
      );
    });

    it('a setting that is no schedule', async () => {
      const Settings = defineSettings('tidy', {
        at: setting(Type.String(), { default: '0 3 * * *', description: 'When to sweep.' }),
      });
      const nightly = job({
        name: 'sweep',
        summary: 'Sweeps',
        deps: { settings: Settings.token },
        cron: ({ settings }) => settings.at,
        run: () => undefined,
      });
      const plugins = [{ ...tidy(nightly), config: Settings }];
      const kernel = await startTestKernel({ engine: 'sqlite', plugins });
      expect((await kernel.get(INSTALLATION).jobs.list())[0]!.schedule).to.equal('0 3 * * * (UTC)');
      await kernel.stop();
      const settings = { tidy: { at: 'at night' } };
      expect(await failure(startTestKernel({ engine: 'sqlite', plugins, settings }))).to.include(
        'Plugin "tidy": its job "sweep" has the cron expression "at night"',
      );
    });
  });
});

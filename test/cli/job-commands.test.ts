import { expect } from 'chai';
import { runJob } from '../../cli/job-commands.ts';
import { definePlugin, job } from '../../core/index.ts';
import { StartupError } from '../../core/errors/startup-error.ts';
import { makePlan } from '../../core/kernel/plan.ts';
import { makeScratch, onEveryEngine, startTestKernel } from '../../core/testing.ts';
import { failure } from '../core/persistence/support.ts';

describe('jobs run', () => {
  onEveryEngine((engine) => {
    it('says in one sentence that the job failed, and why', async () => {
      const tidy = job({
        name: 'tidy',
        summary: 'Tidies up',
        every: '1h',
        deps: {},
        run: () => Promise.reject(new Error('no broom')),
      });
      const plugin = definePlugin({
        id: 'home',
        version: '1.0.0',
        api: '^1.0',
        summary: 'Is clean',
        jobs: [tidy],
      });
      const scratch = await makeScratch(engine);
      try {
        await (await startTestKernel({ engine, plugins: [plugin], scratch })).stop();
        const plan = await makePlan({
          env: { LOG_LEVEL: 'silent' },
          cwd: scratch.dataDir,
          definitions: [plugin],
          overrides: { database: { url: scratch.databaseUrl }, data: { dir: scratch.dataDir } },
        });
        const error = await failure(runJob(plan, 'home:tidy'));
        expect(error).to.be.instanceOf(StartupError);
        expect(error.message).to.equal('The job "home:tidy" failed: no broom');
      } finally {
        await scratch.remove();
      }
    });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { CpuMeter } from '../../../plugins/monitoring/cpu.ts';

describe('measuring the processor', () => {
  let elapsed = 0;
  let cgroup: string;
  const clock = { now: () => 0, elapsed: () => elapsed };
  const used = (microseconds: number): void =>
    writeFileSync(join(cgroup, 'cpu.stat'), `usage_usec ${microseconds}\nuser_usec 1\n`);
  beforeEach(() => {
    elapsed = 1000;
    cgroup = mkdtempSync(join(tmpdir(), 'cgroup-'));
  });
  afterEach(() => rmSync(cgroup, { recursive: true }));

  it('takes the share of what the container may use', () => {
    writeFileSync(join(cgroup, 'cpu.max'), '200000 100000\n');
    used(0);
    const meter = new CpuMeter(clock, cgroup);
    meter.percent();
    used(500_000);
    elapsed = 2000;
    expect(meter.percent()).to.equal(25);
  });

  it('forgets what was before the last question', () => {
    writeFileSync(join(cgroup, 'cpu.max'), '100000 100000\n');
    used(900_000);
    const meter = new CpuMeter(clock, cgroup);
    meter.percent();
    elapsed = 2000;
    expect(meter.percent()).to.equal(0);
  });

  for (const [what, limit] of [
    ['says so', 'max 100000\n'],
    ['has no such file', undefined],
  ] as const) {
    it(`takes the whole machine where nothing limits the container, which ${what}`, () => {
      if (limit) writeFileSync(join(cgroup, 'cpu.max'), limit);
      const meter = new CpuMeter(clock, cgroup);
      expect(meter.percent()).to.be.within(0.0001, 100);
    });
  }

  it('sees a busy machine', () => {
    const meter = new CpuMeter(clock, cgroup);
    meter.percent();
    const until = performance.now() + 300;
    while (performance.now() < until);
    expect(meter.percent()).to.be.greaterThan(50 / availableParallelism());
  });
});

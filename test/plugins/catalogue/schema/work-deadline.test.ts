import { expect } from 'chai';
import { afterWorkOf } from '../../../../plugins/catalogue/schema/work-deadline.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

function work(ms: number): void {
  const { user, system } = process.cpuUsage();
  const spent = () => {
    const now = process.cpuUsage();
    return (now.user + now.system - user - system) / 1000;
  };
  while (spent() < ms);
}

describe('a deadline in work', () => {
  it('passes once the process had that much processor time', async () => {
    let late = false;
    const stop = afterWorkOf(50, () => (late = true));
    work(60);
    await pause(20);
    stop();
    expect(late).to.equal(true);
  });

  it('waits on while the process got none, but not for ever', async () => {
    let late = false;
    const stop = afterWorkOf(50, () => (late = true));
    await pause(120);
    expect(late, 'after twice the time, idle').to.equal(false);
    await pause(300);
    stop();
    expect(late, 'after more than five times the time').to.equal(true);
  });

  it('is called off by an answer in time', async () => {
    let late = false;
    afterWorkOf(20, () => (late = true))();
    work(30);
    await pause(150);
    expect(late).to.equal(false);
  });
});

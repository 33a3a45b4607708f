import { expect } from 'chai';
import { WorkDeadline } from '../../../../plugins/catalogue/schema/work-deadline.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const turn = () => new Promise((resolve) => setImmediate(resolve));

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
    const deadline = new WorkDeadline(50, () => (late = true));
    work(60);
    await pause(20);
    // It is judged a turn after its timer, which a busy machine may let ring together with this one.
    await turn();
    deadline.cancel();
    expect(late).to.equal(true);
  });

  it('waits on while the process got none, but not for ever', async () => {
    const began = performance.now();
    const none = () => ({ user: 0, system: 0 });
    await new Promise<void>((resolve) => void new WorkDeadline(50, resolve, none));
    // Five timers, each of which may ring a millisecond early.
    expect(performance.now() - began).to.be.within(245, 5_000);
  });

  it('is called off by an answer in time', async () => {
    let late = false;
    new WorkDeadline(20, () => (late = true)).cancel();
    work(30);
    await pause(150);
    expect(late).to.equal(false);
  });
});

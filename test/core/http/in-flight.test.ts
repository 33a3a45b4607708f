import { expect } from 'chai';
import { InFlight } from '../../../core/http/in-flight.ts';

describe('the number of requests in flight', () => {
  let elapsed: number;
  let loop: { share: number };
  let inFlight: InFlight;
  beforeEach(() => {
    elapsed = 0;
    loop = { share: 1 };
    const clock = { now: () => 0, elapsed: () => elapsed };
    inFlight = new InFlight({ limit: 20, limitWhenBusy: 10 }, loop, clock);
  });

  const enter = (count: number): void => {
    for (let entered = 0; entered < count; entered += 1) inFlight.enter();
  };
  const leave = (count: number): void => {
    for (let left = 0; left < count; left += 1) inFlight.leave();
  };
  const fill = (): number => {
    while (!inFlight.isFull) inFlight.enter();
    return inFlight.current;
  };

  it('may reach the limit however busy the processor is, as long as nobody is refused', () => {
    expect(fill()).to.equal(20);
    expect(() => inFlight.enter()).to.throw('as many requests as it can');
  });

  it('falls to the lower limit once somebody was refused while the processor has no time to spare', () => {
    fill();
    leave(11);
    expect(fill()).to.equal(10);
  });

  it('may reach the limit again a quarter of a second after the last refusal', () => {
    fill();
    leave(15);
    elapsed = 200;
    expect(fill()).to.equal(10);
    leave(5);
    elapsed = 400;
    expect(fill()).to.equal(10);
    leave(5);
    elapsed = 700;
    expect(fill()).to.equal(20);
  });

  it('stays at the limit while what is in flight waits for something else', () => {
    loop.share = 0.5;
    fill();
    leave(15);
    expect(fill()).to.equal(20);
  });

  it('lies between while the processor has a little time to spare', () => {
    loop.share = 0.94;
    fill();
    leave(15);
    expect(fill()).to.equal(15);
  });

  it('has one limit where the lower one is higher', () => {
    inFlight = new InFlight({ limit: 3, limitWhenBusy: 10 }, loop, { now: () => 0, elapsed: () => 0 });
    expect(fill()).to.equal(3);
    leave(2);
    enter(2);
    expect(inFlight.isFull).to.equal(true);
  });
});

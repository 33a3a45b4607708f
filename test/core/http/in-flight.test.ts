import { expect } from 'chai';
import { InFlight, NOWHERE, type Occupant } from '../../../core/http/in-flight.ts';

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

  let occupants: Occupant[];
  beforeEach(() => (occupants = []));

  const enter = (): void => {
    const occupant = { slice: NOWHERE };
    inFlight.enter(occupant);
    occupants.push(occupant);
  };
  const leave = (count: number): void => {
    for (const occupant of occupants.splice(0, count)) inFlight.leave(occupant);
  };
  const fill = (): number => {
    while (!inFlight.isFull) enter();
    return inFlight.current;
  };

  it('may reach the limit however busy the processor is, as long as nobody is refused', () => {
    expect(fill()).to.equal(20);
    expect(enter).to.throw('as many requests as it can');
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
    expect(fill()).to.equal(3);
  });

  it('gives the places of those who are there for a second to others', () => {
    loop.share = 0.5;
    fill();
    elapsed = 1249;
    expect(inFlight.isFull).to.equal(true);
    leave(15);
    fill();
    elapsed = 1250;
    expect(inFlight.isFull).to.equal(false);
    expect(inFlight.current).to.equal(15);
  });

  it('tells of everybody who leaves, once', () => {
    let told = 0;
    inFlight.onLeave = () => (told += 1);
    loop.share = 0.5;
    fill();
    elapsed = 1250;
    expect(inFlight.isFull).to.equal(false);
    leave(20);
    expect(told).to.equal(20);
  });
});

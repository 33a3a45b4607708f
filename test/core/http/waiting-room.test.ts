import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { InFlight, NOWHERE } from '../../../core/http/in-flight.ts';
import { WaitingRoom } from '../../../core/http/waiting-room.ts';
import { untilWithin } from '../../support/until.ts';

const until = untilWithin(5_000);

describe('the waiting room', () => {
  const inside = { slice: NOWHERE };
  let inFlight: InFlight;
  let room: WaitingRoom;
  let served: number[];
  let refused: number[];
  let onRefused: () => void;
  /** Moved by hand: on a machine that stalls it would be decided before the places that count came free. */
  let now: number;
  beforeEach(() => {
    now = 0;
    const clock = { now: () => now, elapsed: () => now };
    inFlight = new InFlight({ limit: 1, limitWhenBusy: 1 }, { share: 0 }, clock);
    room = new WaitingRoom(inFlight, clock);
    inFlight.enter(inside);
    served = [];
    refused = [];
    onRefused = () => undefined;
  });

  const come = (count: number): void => {
    for (let who = 0; who < count; who += 1) {
      const proceed = (): void => {
        if (inFlight.isFull) {
          refused.push(who);
          onRefused();
        } else {
          inFlight.enter(inside);
          served.push(who);
        }
      };
      room.wait({ proceed });
    }
  };
  /** The one place becomes free again and again. */
  const serve = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await pause(10);
      now += 10;
      inFlight.leave(inside);
    }
    await pause(10);
  };
  const numbers = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, index) => from + index);

  it('lets everybody go after a moment in which nobody was served', async () => {
    come(5);
    now = 49;
    await pause(80);
    expect(refused).to.deep.equal([]);
    now = 50;
    await until(() => refused.length === 5);
    expect(refused).to.deep.equal(numbers(0, 5));
    expect(room.isEmpty).to.equal(true);
  });

  it('lets those stay whom the places will reach soon, and serves them in their order', async () => {
    come(15);
    await serve(25);
    expect(served).to.deep.equal(numbers(0, 15));
    expect(refused).to.deep.equal([]);
    expect(room.isEmpty).to.equal(true);
  });

  it('lets the others go, the last who came', async () => {
    come(200);
    await serve(80);
    expect(refused.length).to.be.within(120, 199);
    expect(refused).to.deep.equal(numbers(200 - refused.length, 200));
    expect(served).to.deep.equal(numbers(0, 200 - refused.length));
  });

  it('gives a place that comes free while others are let go to those who stay', async () => {
    onRefused = () => {
      if (refused.length === 1) inFlight.leave(inside);
    };
    come(50);
    await serve(1);
    now = 50;
    await until(() => refused.length > 0);
    await pause(5);
    expect(served).to.deep.equal([0, 1]);
    room.clear();
    await pause(5);
  });

  it('lets nobody stay for longer than a second when the places stop coming free', async () => {
    come(100);
    await serve(5);
    await until(() => refused.length > 0);
    now = 999;
    await pause(80);
    expect(served.length + refused.length).to.be.below(100);
    expect(room.isEmpty).to.equal(false);
    now = 1000;
    await until(() => room.isEmpty);
    expect(room.isEmpty).to.equal(true);
    await pause(5);
    expect(served.length + refused.length).to.equal(100);
  });

  it('calls the next when one who was called had gone', async () => {
    room.wait({ proceed: () => undefined });
    come(1);
    inFlight.leave(inside);
    await until(() => room.isEmpty);
    expect(served).to.deep.equal([0]);
  });

  it('lets everybody go when told to', async () => {
    come(3);
    room.clear();
    await new Promise(setImmediate);
    expect(refused).to.deep.equal([0, 1, 2]);
  });
});

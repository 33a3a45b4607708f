import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Lane, NOT_BEGUN, type Connections, type Passing } from '../../../core/egress/lane.ts';
import { until } from '../../support/until.ts';

const AN_HOUR = 3_600_000;

class Request implements Passing {
  round = NOT_BEGUN;
  isOver = false;
  isBegun = false;

  begin(): void {
    this.isBegun = true;
  }
}

describe('the lane to one origin', () => {
  const told: string[] = [];
  let lanes: Lane[];
  beforeEach(() => {
    told.length = 0;
    lanes = [];
  });
  afterEach(() => Promise.all(lanes.map((lane) => lane.destroy())));

  function laneWith(roundMs: number): Lane {
    const connections: Connections = {
      dispatch: () => true,
      close: async () => void told.push('closed'),
      destroy: async () => void told.push('destroyed'),
    };
    const lane = new Lane(connections, roundMs);
    lanes.push(lane);
    return lane;
  }

  function enter(lane: Lane, count: number): Request[] {
    const requests = Array.from({ length: count }, () => new Request());
    for (const request of requests) lane.enter(request);
    return requests;
  }

  function end(lane: Lane, requests: readonly Request[]): void {
    for (const request of requests) {
      request.isOver = true;
      lane.leave(request);
    }
  }

  const begun = (requests: readonly Request[]): number => requests.filter(({ isBegun }) => isBegun).length;

  it('begins what comes at once, so many at a time', () => {
    expect(begun(enter(laneWith(AN_HOUR), 100))).to.equal(64);
  });

  it('begins one that waits for each that ends, in their order', async () => {
    const lane = laneWith(AN_HOUR);
    const [quick, waiting] = [enter(lane, 64), enter(lane, 10)];
    end(lane, quick.slice(0, 3));
    await until(() => begun(waiting) === 3);
    expect(begun(waiting.slice(0, 3))).to.equal(3);
  });

  it('begins at once again when nobody waits any more', async () => {
    const lane = laneWith(AN_HOUR);
    const [quick, waiting] = [enter(lane, 64), enter(lane, 1)];
    end(lane, quick.slice(0, 10));
    await until(() => begun(waiting) === 1);
    expect(begun(enter(lane, 1))).to.equal(1);
  });

  it('begins everybody soon when nothing ends', async () => {
    const requests = enter(laneWith(5), 500);
    await until(() => begun(requests) === 500);
  });

  it('does not count what takes long, so that quick ones need not wait behind it', async () => {
    const lane = laneWith(5);
    const slow = enter(lane, 65);
    await until(() => begun(slow) === 65);
    // The rounds go on while somebody waits, until those that began last are slow as well.
    for (let quick = enter(lane, 64); begun(quick) < 64; quick = enter(lane, 64)) {
      await until(() => begun(quick) === 64);
      end(lane, quick);
    }
    expect(begun(slow)).to.equal(65);
  });

  it('counts as before when those end that were not counted any more', async () => {
    const lane = laneWith(5);
    const slow = enter(lane, 300);
    await until(() => begun(slow) === 300);
    await pause(50);
    end(lane, slow);
    await until(() => begun(enter(lane, 1)) === 1);
    expect(begun(enter(lane, 200))).to.be.at.most(64);
  });

  it('begins nothing that was given up while it waited, and gives its place to the next', async () => {
    const lane = laneWith(AN_HOUR);
    const [quick, waiting] = [enter(lane, 64), enter(lane, 2)];
    end(lane, [waiting[0]!, quick[0]!]);
    await until(() => waiting[1]!.isBegun);
    expect(waiting[0]!.isBegun).to.equal(false);
  });

  it('begins all that wait before its connections are closed', async () => {
    const lane = laneWith(AN_HOUR);
    const requests = enter(lane, 100);
    await lane.close();
    expect([begun(requests), ...told]).to.deep.equal([100, 'closed']);
  });
});

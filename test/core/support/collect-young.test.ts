import { setTimeout as pause } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { collectYoung } from '../../../core/support/collect-young.ts';

const PIECES = 256;
const PIECE_BYTES = 65_536;

describe('collecting the young generation', () => {
  it('gives back what buffers held that nobody holds any more', async () => {
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < PIECES; n += 1) Buffer.allocUnsafeSlow(PIECE_BYTES);
    collectYoung();
    const deadline = performance.now() + 1500;
    const held = (): number => process.memoryUsage().arrayBuffers - before;
    while (held() > (PIECES * PIECE_BYTES) / 4 && performance.now() < deadline) await pause(10);
    expect(held()).to.be.below((PIECES * PIECE_BYTES) / 4);
  });

  it('leaves no way to collect behind for others', () => {
    collectYoung();
    expect(runInNewContext('typeof gc')).to.equal('undefined');
  });
});

import { expect } from 'chai';
import { Blocks } from '../../../core/support/blocks.ts';
import { BodyCollector } from '../../../core/support/body-collector.ts';

const MIB = 1024 * 1024;

describe('the collector of a body', () => {
  const collected = (chunks: readonly Buffer[], maxBytes = 1_000_000): Buffer | undefined => {
    const collector = new BodyCollector(maxBytes, new Blocks());
    return chunks.every((chunk) => collector.add(chunk)) ? collector.body() : undefined;
  };

  it('keeps a single chunk as it came, without copying it', () => {
    const chunk = Buffer.from('whole');
    expect(collected([chunk])).to.equal(chunk);
  });

  it('is empty when nothing came', () => {
    expect(collected([])).to.have.length(0);
  });

  for (const size of [1, 7, 4_096, 4_097, 65_536, 100_000]) {
    it(`puts chunks of ${size} bytes together in their order`, () => {
      const whole = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, turn) =>
        whole.subarray(turn * size, (turn + 1) * size),
      );
      expect(collected(chunks)?.equals(whole)).to.equal(true);
    });
  }

  it('uses the memory of one body for the next, and leaves the first as it was', () => {
    const blocks = new Blocks();
    const block = blocks.take();
    blocks.giveBack([block]);
    const gathered = (fill: string): Buffer => {
      const collector = new BodyCollector(MIB, blocks);
      for (let n = 0; n < 5; n += 1) collector.add(Buffer.alloc(65_536, fill));
      const body = collector.body();
      collector.release();
      return body;
    };
    const [first, second] = [gathered('a'), gathered('b')];
    expect([first, second]).to.deep.equal([Buffer.alloc(5 * 65_536, 'a'), Buffer.alloc(5 * 65_536, 'b')]);
    expect(Array.from({ length: 4 }, () => blocks.take()).includes(block)).to.equal(true);
    expect(block[0]).to.equal('b'.charCodeAt(0));
  });

  it('refuses the chunk that goes past the bound', () => {
    expect(collected([Buffer.alloc(6), Buffer.alloc(5)], 10)).to.equal(undefined);
  });
});

import { Readable } from 'node:stream';
import { expect } from 'chai';
import { Ending } from '../../../core/egress/ending.ts';
import { LargeAnswers } from '../../../core/egress/large-answers.ts';
import { readBody, type BodyLimits } from '../../../core/egress/read-body.ts';
import { failureOf } from './servers.ts';

describe('the body of an answer', () => {
  const ending = new Ending();
  const read = (pieces: readonly string[], limits: Partial<BodyLimits> = {}) =>
    readBody(Readable.from(pieces.map((piece) => Buffer.from(piece))), {
      maxBytes: 1_000_000,
      announced: undefined,
      source: 'http://models.lan/',
      large: new LargeAnswers(4_000_000),
      ending,
      ...limits,
    });

  for (const pieces of [
    [],
    ['one'],
    ['one', 'two'],
    Array<string>(5_000).fill('x'),
    ['x'.repeat(60_000), 'y'.repeat(60_000), 'z'.repeat(60_000)],
  ]) {
    const text = pieces.join('');
    it(`of ${pieces.length} pieces and ${text.length} bytes is read whole`, async () => {
      expect((await read(pieces)).toString()).to.equal(text);
    });

    it(`of ${pieces.length} pieces and ${text.length} bytes is read whole when its length was announced`, async () => {
      expect((await read(pieces, { announced: text.length })).toString()).to.equal(text);
    });
  }

  it('is refused once it is larger than the limit', async () => {
    const failure = await failureOf(read(['12345', '67890'], { maxBytes: 9 }));
    expect(failure?.message).to.equal('The answer cannot be used. It is larger than the limit of 9 bytes.');
  });

  it('releases its memory, also when it is refused', async () => {
    const large = new LargeAnswers(1_000_000);
    const piece = 'x'.repeat(100_000);
    for (let round = 0; round < 3; round++) {
      await read([piece], { maxBytes: 500_000, large });
      await failureOf(read([piece, piece], { maxBytes: 150_000, large }));
    }
    expect((await read([piece], { large })).length).to.equal(100_000);
  });
});

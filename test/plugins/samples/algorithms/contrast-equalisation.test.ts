import { expect } from 'chai';
import { equalised } from '../../../../plugins/samples/algorithms/contrast-equalisation/equalise.ts';
import { run } from '../../../../plugins/samples/algorithms/contrast-equalisation/run.ts';
import { decodePicture } from '../../../../plugins/samples/pictures/decode.ts';
import { paint, paintJpeg, plane } from '../painting.ts';

const NO_LIMIT = 256;

/** The worked example of the English Wikipedia, "Histogram equalization". */
const BEFORE = [
  52, 55, 61, 59, 79, 61, 76, 61, 62, 59, 55, 104, 94, 85, 59, 71, 63, 65, 66, 113, 144, 104, 63, 72, 64, 70,
  70, 126, 154, 109, 71, 69, 67, 73, 68, 106, 122, 88, 68, 68, 68, 79, 60, 70, 77, 66, 58, 75, 69, 85, 64, 58,
  55, 61, 65, 83, 70, 87, 69, 68, 65, 73, 78, 90,
];
const AFTER = [
  0, 12, 53, 32, 190, 53, 174, 53, 57, 32, 12, 227, 219, 202, 32, 154, 65, 85, 93, 239, 251, 227, 65, 158, 73,
  146, 146, 247, 255, 235, 154, 130, 97, 166, 117, 231, 243, 210, 117, 117, 117, 190, 36, 146, 178, 93, 20,
  170, 130, 202, 73, 20, 12, 53, 85, 194, 146, 206, 130, 117, 85, 166, 182, 215,
];

describe('Contrast equalisation', () => {
  it('is plain histogram equalisation with one tile and no limit', () => {
    const picture = plane(8, 8, (x, y) => BEFORE[y * 8 + x]!);
    expect([...equalised(picture, 1, NO_LIMIT)].map(Math.round)).to.deep.equal(AFTER);
  });

  it('leaves an even picture as it is', () => {
    const even = plane(16, 16, () => 90);
    expect(new Set(equalised(even, 1, NO_LIMIT))).to.deep.equal(new Set([90]));
  });

  it('never turns brighter into darker within one tile', () => {
    const ramp = plane(256, 1, (x) => Math.sqrt(x) * 15);
    for (const limit of [1, 2, 10, NO_LIMIT]) {
      const result = equalised(ramp, 1, limit);
      result.forEach((value, i) => expect(value).to.be.at.least(i ? result[i - 1]! - 1e-3 : 0));
    }
  });

  it('changes contrast the less, the lower the limit', () => {
    const dull = plane(64, 64, (x, y) => 100 + ((x * 7 + y * 13) % 20));
    const spreads = [1, 4, NO_LIMIT].map((limit) => {
      const values = equalised(dull, 4, limit);
      return Math.max(...values) - Math.min(...values);
    });
    expect(spreads[0]).to.be.lessThan(spreads[1]!);
    expect(spreads[1]).to.be.lessThan(spreads[2]!);
  });

  it('makes no seams between tiles', () => {
    const ramp = plane(120, 60, (x, y) => 60 + x / 2 + y / 4);
    const result = equalised(ramp, 4, 3);
    for (let y = 0; y < 60; y++) {
      for (let x = 1; x < 120; x++) {
        expect(Math.abs(result[y * 120 + x]! - result[y * 120 + x - 1]!), `at ${x}, ${y}`).to.be.lessThan(12);
      }
    }
  });

  it('keeps the differences between red, green and blue, and the transparency', () => {
    const image = paint(16, 16, (x, y) => [
      90 + ((x + y) % 8),
      70 + ((x + y) % 8),
      80 + ((x + y) % 8),
      255 - x,
    ]);
    const answer = run({ image }, { tiles: 1, clip_limit: 4, max_side: 1024 });
    const { rgba } = decodePicture(answer.image.data_base64);
    for (let at = 0; at < rgba.length; at += 4) {
      expect(rgba[at]! - rgba[at + 1]!).to.be.closeTo(20, 1);
      expect(rgba[at + 3]).to.equal(255 - ((at / 4) % 16));
    }
  });

  it('answers in the format that came in', () => {
    const image = paintJpeg(32, 32, (x, y) => [x * 4, y * 4, 60]);
    expect(run({ image }, { tiles: 2, clip_limit: 2, max_side: 1024 }).image.content_type).to.equal(
      'image/jpeg',
    );
  });

  it('says how the spread of brightness changed', () => {
    const image = paint(
      32,
      32,
      (x, y) => Array(3).fill(100 + ((x * 3 + y * 5) % 16)) as [number, number, number],
    );
    const { before, after } = run({ image }, { tiles: 1, clip_limit: NO_LIMIT, max_side: 1024 });
    expect(before).to.deep.include({ entropy: 4 });
    expect(after.deviation).to.be.greaterThan(10 * before.deviation);
  });
});

import { expect } from 'chai';
import { crc32, deflateSync } from 'node:zlib';
import { PNG } from 'pngjs';
import { InputRejected } from '../../../plugins/samples/input-rejected.ts';
import { decodePicture } from '../../../plugins/samples/pictures/decode.ts';
import { encodeGrey, encodePicture } from '../../../plugins/samples/pictures/encode.ts';
import { readHeader } from '../../../plugins/samples/pictures/header.ts';
import { lumaOf } from '../../../plugins/samples/pictures/luma.ts';
import { fitted } from '../../../plugins/samples/pictures/scale.ts';
import { paint, paintJpeg, type Paint } from './painting.ts';

const checkers = (x: number, y: number): Paint => ((x + y) % 2 ? [200, 100, 50] : [10, 20, 30, 128]);

/** Changes bytes of a PNG in base64. */
function changed(base64: string, change: (bytes: Buffer) => Buffer | void): string {
  const bytes = Buffer.from(base64, 'base64');
  return (change(bytes) ?? bytes).toString('base64');
}

describe('Pictures', () => {
  it('are read from PNG, with every pixel and its transparency', () => {
    const { width, height, rgba, format } = decodePicture(paint(3, 2, checkers));
    expect([width, height, format]).to.deep.equal([3, 2, 'image/png']);
    expect([...rgba.subarray(0, 8)]).to.deep.equal([10, 20, 30, 128, 200, 100, 50, 255]);
  });

  it('are read from JPEG', () => {
    const { width, height, rgba, format } = decodePicture(paintJpeg(16, 8, () => [200, 100, 50]));
    expect([width, height, format]).to.deep.equal([16, 8, 'image/jpeg']);
    [200, 100, 50, 255].forEach((value, i) => expect(rgba[i]).to.be.closeTo(value, 3));
  });

  it('may have the prefix of a data URL and line breaks', () => {
    const base64 = paint(4, 4, checkers);
    const wrapped = `data:image/png;base64,${base64.replace(/.{20}/g, '$&\n')}`;
    expect(decodePicture(wrapped).rgba).to.deep.equal(decodePicture(base64).rgba);
  });

  it('survive being encoded as PNG', () => {
    const picture = decodePicture(paint(9, 5, checkers));
    const { rgba } = decodePicture(encodePicture(picture, 'image/png').data_base64);
    expect(Buffer.compare(rgba, picture.rgba)).to.equal(0);
  });

  it('survive being encoded as grey', () => {
    const { rgba } = decodePicture(encodeGrey(2, 2, Uint8Array.from([0, 80, 160, 255])).data_base64);
    expect([...rgba].filter((_, i) => i % 4 === 0)).to.deep.equal([0, 80, 160, 255]);
  });

  it('are scaled down by averaging', () => {
    const picture = decodePicture(
      paint(4, 2, (x) => (x < 2 ? [0, 0, 0] : x === 2 ? [100, 0, 0] : [200, 0, 0])),
    );
    const { width, height, rgba } = fitted(picture, 2);
    expect([width, height, [...rgba]]).to.deep.equal([2, 1, [0, 0, 0, 255, 150, 0, 0, 255]]);
  });

  it('keep at least one pixel when they are scaled down', () => {
    const { width, height } = fitted(decodePicture(paint(200, 1, checkers)), 16);
    expect([width, height]).to.deep.equal([16, 1]);
  });

  it('are as bright as BT.601 says, over white where they are transparent', () => {
    const { values } = lumaOf(
      decodePicture(
        paint(
          3,
          1,
          (x) =>
            [
              [255, 0, 0],
              [0, 255, 0],
              [0, 0, 0, 0],
            ][x] as unknown as Paint,
        ),
      ),
    );
    [76.245, 149.685, 255].forEach((value, i) => expect(values[i]).to.be.closeTo(value, 1e-3));
  });

  describe('are refused in words', () => {
    const png = paint(8, 8, checkers);
    const huge = (bytes: Buffer) => void bytes.writeUInt32BE(60_000, 16);
    const refused: [string, string, string][] = [
      ['that are not base64', 'no base64 at all!', 'not base64'],
      [
        'that are another format',
        Buffer.from('GIF89a, or so they say').toString('base64'),
        'neither PNG nor JPEG',
      ],
      ['that break off', changed(png, (bytes) => bytes.subarray(0, 60)), 'damaged'],
      ['whose bytes were changed', changed(png, (bytes) => void bytes.fill(7, 45, 55)), 'damaged'],
      ['without pixels', changed(png, (bytes) => void bytes.writeUInt32BE(0, 20)), 'no pixels'],
      [
        'that claim to be huge, before they are decoded',
        changed(png, (b) => (huge(b), void b.writeUInt32BE(60_000, 20))),
        '60000 by 60000',
      ],
      ['that are interlaced', changed(png, (bytes) => void bytes.writeUInt8(1, 28)), 'interlaced'],
      [
        'a JPEG that breaks off',
        changed(paintJpeg(32, 32, checkers), (b) => b.subarray(0, 30)),
        'neither PNG nor JPEG',
      ],
      [
        'a JPEG whose data breaks off',
        changed(paintJpeg(32, 32, checkers), (b) => b.subarray(0, b.length - 400)),
        'damaged',
      ],
      [
        'a JPEG of mere markers',
        Buffer.from([0xff, 0xd8, ...Array(60).fill(0xff)]).toString('base64'),
        'neither PNG nor JPEG',
      ],
    ];
    for (const [what, base64, words] of refused) {
      it(what, () => {
        expect(() => decodePicture(base64)).to.throw(InputRejected, words);
      });
    }
  });

  it('do not unfold further than their size, whatever is packed in them', () => {
    const bomb = changed(paint(8, 8, checkers), (bytes) => {
      const body = Buffer.concat([Buffer.from('IDAT'), deflateSync(Buffer.alloc(64 * 1024 * 1024))]);
      const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
      length.writeUInt32BE(body.length - 4);
      checksum.writeUInt32BE(crc32(body));
      return Buffer.concat([bytes.subarray(0, 33), length, body, checksum, bytes.subarray(-12)]);
    });
    const before = process.memoryUsage().arrayBuffers;
    expect(() => decodePicture(bomb)).to.throw(InputRejected, 'damaged');
    expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(16 * 1024 * 1024);
  });

  it('have their size read without being decoded', () => {
    const sizes = [paint(7, 3, checkers), paintJpeg(7, 3, checkers)].map((base64) =>
      readHeader(Buffer.from(base64, 'base64')),
    );
    for (const header of sizes) expect(header).to.deep.include({ width: 7, height: 3 });
    expect(PNG.sync.read(Buffer.from(paint(7, 3, checkers), 'base64')).width).to.equal(7);
  });
});

import { expect } from 'chai';
import { imageFrom } from '../../../plugins/llm/images/image.ts';
import { readHeader } from '../../../plugins/llm/images/image-header.ts';
import { processorMs } from '../../support/processor-time.ts';
import { pictures, pngOf } from './pictures.ts';

describe('the header of an image', () => {
  for (const [name, { contentType, bytes }] of Object.entries(pictures)) {
    it(`of ${name} tells type and size`, () => {
      expect(readHeader(bytes)).to.deep.equal({ contentType, width: 3, height: 2 });
    });
  }

  it('is found behind a long comment in a JPEG', () => {
    const jpeg = pictures['JPEG']!.bytes;
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0x40, 0x02]), Buffer.alloc(0x4000)]);
    const long = Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
    expect(readHeader(long)).to.include({ width: 3, height: 2 });
  });

  it('is not mistaken for a table that has the marker of a frame almost', () => {
    const jpeg = pictures['JPEG']!.bytes;
    const table = Buffer.from('ffc40014001122334455667788990011223344556677', 'hex');
    expect(readHeader(Buffer.concat([jpeg.subarray(0, 2), table, jpeg.subarray(2)]))).to.include({
      width: 3,
      height: 2,
    });
  });

  describe('of a GIF', () => {
    const screen = Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1');
    const extension = Buffer.from('21f9040000000000', 'hex');
    const frame = (left: number, width: number, height: number) => {
      const head = Buffer.alloc(10);
      head.writeUInt8(0x2c);
      head.writeUInt16LE(left, 1);
      head.writeUInt16LE(width, 5);
      head.writeUInt16LE(height, 7);
      return Buffer.concat([head, Buffer.from('02024c0100', 'hex')]);
    };

    it('tells the size of the largest frame, however small its screen is', () => {
      const bytes = Buffer.concat([screen, extension, frame(0, 1, 1), extension, frame(0, 65_535, 65_535)]);
      expect(readHeader(bytes)).to.include({ width: 65_535, height: 65_535 });
    });

    it('counts where a frame lies', () => {
      expect(readHeader(Buffer.concat([screen, frame(100, 3, 2)]))).to.include({ width: 103, height: 2 });
    });

    it('finds frames behind tables of colours', () => {
      const colours = Buffer.from(screen);
      colours.writeUInt8(0x81, 10);
      const table = Buffer.alloc(12, 0x2c);
      expect(readHeader(Buffer.concat([colours, table, frame(0, 7, 9)]))).to.include({ width: 7, height: 9 });
    });
  });

  describe('of a WebP', () => {
    const chunk = (name: string, data: Buffer) => {
      const head = Buffer.from(`${name}....`);
      head.writeUInt32LE(data.length, 4);
      return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
    };
    const webp = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('RIFF....WEBP'), ...chunks]);
    const canvas = chunk('VP8X', Buffer.alloc(10));
    const image = chunk('VP8 ', Buffer.from('0000000000002a013f0a3f', 'hex').subarray(0, 10));

    it('tells the size of the image, however small its canvas is', () => {
      const bytes = webp(canvas, chunk('ICCP', Buffer.alloc(3)), image);
      expect(readHeader(bytes)).to.include({ width: 0x012a, height: 0x0a3f });
    });

    it('tells the size of the image in a frame, however small its frame is', () => {
      const bytes = webp(canvas, chunk('ANMF', Buffer.concat([Buffer.alloc(16), image])));
      expect(readHeader(bytes)).to.include({ width: 0x012a, height: 0x0a3f });
    });

    it('tells the size of a frame', () => {
      const frame = Buffer.alloc(16);
      frame.writeUIntLE(99, 6, 3);
      expect(readHeader(webp(canvas, chunk('ANMF', frame)))).to.include({ width: 100, height: 1 });
    });
  });

  it('is read soon from many empty blocks', () => {
    const empty = Buffer.alloc(5_000_000);
    const extensions = Buffer.alloc(10 * 1024 * 1024, Buffer.from('21f900', 'hex'));
    const took = processorMs(() => {
      readHeader(Buffer.concat([Buffer.from('RIFF....WEBP'), empty]));
      readHeader(Buffer.concat([Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'), extensions]));
    });
    expect(took).to.be.below(3000);
  });

  const others: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    SVG: Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"><script>alert(1)</script></svg>',
    ),
    HTML: Buffer.from('<!doctype html><script>alert(1)</script>'),
    PDF: Buffer.from('%PDF-1.7\n'),
    'an executable': Buffer.from('7f454c46020101000000000000000000', 'hex'),
    'HTML that begins like a GIF': Buffer.from('GIF87<script>alert(1)</script>'),
    'a PNG cut short in its header': pngOf(3, 2).subarray(0, 18),
    'a PNG without IHDR': Buffer.concat([pngOf(3, 2).subarray(0, 8), Buffer.alloc(40)]),
    'a PNG of no pixels': pngOf(0, 2),
    'a JPEG without frames': Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'),
    'a JPEG whose segment leads past its end': Buffer.from('ffd8ffe0ffff00', 'hex'),
    'a JPEG of fill bytes alone': Buffer.alloc(1000, 0xff).fill(0xd8, 1, 2),
    'a WebP of an unknown kind': Buffer.from('RIFF\x20\0\0\0WEBPVP9 \0\0\0\0'),
  };

  for (const [name, bytes] of Object.entries(others)) {
    it(`is not found in ${name}`, () => {
      expect(readHeader(bytes)).to.equal(undefined);
    });
  }
});

describe('an image', () => {
  it('may have as many pixels as the limit says', () => {
    expect(imageFrom(pngOf(8_000, 5_000)).width).to.equal(8_000);
  });

  it('may not have one pixel more, and the sentence names both figures', () => {
    expect(() => imageFrom(pngOf(40_000_001, 1))).to.throw('40000001 × 1 pixels; at most 40000000');
  });

  it('is judged by what its header claims, so a bomb is refused before anybody unpacks it', () => {
    expect(() => imageFrom(pngOf(100_000, 100_000))).to.throw('Scale it down');
  });
});

import { crc32, deflateSync } from 'node:zlib';
import type { Dice } from './dice.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const CHANNELS = 3;

/** A small picture: two colours that run into each other, with discs on them. The same for the same dice. */
export function drawnPng(dice: Dice, side: number): Buffer {
  const [from, to] = [colour(dice), colour(dice)];
  const discs = Array.from({ length: 4 }, () => ({
    x: dice.roll() * side,
    y: dice.roll() * side,
    radius: (0.08 + dice.roll() * 0.17) * side,
    colour: colour(dice),
  }));
  const pixel = (x: number, y: number): Colour => {
    const disc = discs.find((one) => Math.hypot(x - one.x, y - one.y) <= one.radius);
    return disc?.colour ?? blended(from, to, (x + y) / (2 * side));
  };
  return encodedPng(side, pixel);
}

type Colour = readonly [red: number, green: number, blue: number];

function colour(dice: Dice): Colour {
  return [dice.between(20, 235), dice.between(20, 235), dice.between(20, 235)];
}

function blended(from: Colour, to: Colour, share: number): Colour {
  const mix = (a: number, b: number) => Math.round(a + (b - a) * share);
  return [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])];
}

/** PNG, 8 bits per channel, without filters (ISO/IEC 15948). */
function encodedPng(side: number, pixel: (x: number, y: number) => Colour): Buffer {
  const row = 1 + side * CHANNELS;
  const pixels = Buffer.alloc(row * side);
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) pixels.set(pixel(x, y), y * row + 1 + x * CHANNELS);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(pixels)), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([SIGNATURE, ...chunks]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

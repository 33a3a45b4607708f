import { expect } from 'chai';
import { about } from '../../../../plugins/samples/algorithms/edge-detection/about.ts';
import { joined } from '../../../../plugins/samples/algorithms/edge-detection/hysteresis.ts';
import { edgesOf, run } from '../../../../plugins/samples/algorithms/edge-detection/run.ts';
import { decodePicture } from '../../../../plugins/samples/pictures/decode.ts';
import { lumaOf } from '../../../../plugins/samples/pictures/luma.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { paint, plane } from '../painting.ts';

const usual = { sigma: 1.4, low: 0.08, high: 0.2 };

/** Places of the edge pixels. */
function edgePlaces(width: number, edges: Uint8Array): { x: number; y: number }[] {
  return [...edges].flatMap((value, i) => (value ? [{ x: i % width, y: Math.floor(i / width) }] : []));
}

describe('Edge detection', () => {
  for (const sigma of [0, 1.4]) {
    it(`draws a step as a line of one pixel where it is (blur ${sigma})`, () => {
      const step = plane(30, 20, (x) => (x < 15 ? 40 : 200));
      const places = edgePlaces(30, edgesOf(step, { ...usual, sigma }));
      expect(places.map(({ y }) => y)).to.deep.equal(Array.from({ length: 20 }, (_, y) => y));
      for (const { x } of places) expect(x).to.be.oneOf([14, 15]);
    });
  }

  it('draws a disc as a closed ring on its rim', () => {
    const disc = plane(64, 64, (x, y) => (Math.hypot(x - 32, y - 32) < 20 ? 220 : 30));
    const places = edgePlaces(64, edgesOf(disc, usual));
    for (const { x, y } of places) expect(Math.hypot(x - 32, y - 32)).to.be.within(18.5, 21.5);
    const eighths = new Set(
      places.map(({ x, y }) => Math.round((Math.atan2(y - 32, x - 32) / Math.PI) * 16)),
    );
    expect(eighths.size, 'directions in which the rim was found').to.be.at.least(32);
  });

  it('finds nothing in an even picture, nor in a very gentle slope', () => {
    const found = [plane(20, 20, () => 128), plane(64, 8, (x) => x / 2)].map((picture) =>
      edgesOf(picture, usual),
    );
    expect(found.map((edges) => edges.includes(255))).to.deep.equal([false, false]);
  });

  it('finds no edge between colours that are equally bright', () => {
    const grey = Math.round(0.299 * 200);
    const image = paint(24, 24, (x) => (x < 12 ? [200, 0, 0] : [grey, grey, grey]));
    expect(edgesOf(lumaOf(decodePicture(image)), usual).includes(255)).to.equal(false);
  });

  it('keeps weak pixels that are joined to strong ones, and no others', () => {
    const strength = Float32Array.from([9, 5, 5, 0, 5, 0, 0, 0, 0, 5]);
    expect([...joined(strength, 5, 4, 8)]).to.deep.equal([255, 255, 255, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('answers a picture of the edges and counts them', () => {
    const answer = run(about.example, { ...usual, max_side: 1024 });
    const { width, height, rgba } = decodePicture(answer.image.data_base64);
    const white = rgba.filter((value, i) => i % 4 === 0 && value === 255).length;
    expect({ width, height }).to.deep.equal({ width: 144, height: 108 });
    expect(white).to.equal(answer.edge_pixels).and.to.be.greaterThan(300);
  });

  it('scales a large picture down first', () => {
    const { width, height } = run(about.example, { ...usual, max_side: 72 });
    expect([width, height]).to.deep.equal([72, 54]);
  });

  it('refuses thresholds the wrong way round', () => {
    const swapped = () => run(about.example, { sigma: 1, low: 0.5, high: 0.2, max_side: 1024 });
    expect(swapped).to.throw(InputRejected, 'strong threshold 0.2 is below the weak one 0.5');
  });
});

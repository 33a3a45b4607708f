import { expect } from 'chai';
import { about } from '../../../../plugins/samples/algorithms/dominant-colours/about.ts';
import { run } from '../../../../plugins/samples/algorithms/dominant-colours/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';
import { labOf, rgbOf, type Rgb } from '../../../../plugins/samples/pictures/lab.ts';
import { paint } from '../painting.ts';

const flag = paint(40, 10, (x) => (x < 20 ? [255, 0, 0] : x < 32 ? [255, 255, 255] : [0, 0, 128]));

describe('Dominant colours', () => {
  it('answers flat colours exactly, with their shares, most common first', () => {
    const { colours } = run({ image: flag }, { colours: 3, seed: 1 });
    expect(colours.map(({ hex, share }) => [hex, share])).to.deep.equal([
      ['#ff0000', 0.5],
      ['#ffffff', 0.3],
      ['#000080', 0.2],
    ]);
  });

  it('answers no more colours than there are', () => {
    const { colours, mean_distance } = run({ image: flag }, { colours: 8, seed: 1 });
    expect(colours).to.have.length(3);
    expect(mean_distance).to.be.closeTo(0, 1e-9);
  });

  it('joins what looks alike before what looks different', () => {
    const image = paint(30, 10, (x) => (x < 10 ? [250, 0, 0] : x < 20 ? [240, 10, 10] : [0, 0, 250]));
    const { colours } = run({ image }, { colours: 2, seed: 1 });
    expect(colours.map(({ share }) => Math.round(share * 30))).to.deep.equal([20, 10]);
  });

  it('does not look at what is transparent', () => {
    const image = paint(20, 10, (x) => (x < 15 ? [0, 255, 0, 0] : [10, 20, 30, 255]));
    expect(run({ image }, { colours: 5, seed: 1 }).colours.map(({ hex }) => hex)).to.deep.equal(['#0a141e']);
  });

  it('refuses a picture without any visible pixel', () => {
    const image = paint(4, 4, () => [1, 2, 3, 0]);
    expect(() => run({ image }, { colours: 5, seed: 1 })).to.throw(InputRejected, 'wholly transparent');
  });

  it('answers the same for the same seed', () => {
    const answers = [1, 1].map((seed) => run(about.example, { colours: 6, seed }));
    expect(answers[0]).to.deep.equal(answers[1]);
  });
});

describe('CIE L*a*b*', () => {
  const known: [Rgb, [number, number, number]][] = [
    [
      [255, 255, 255],
      [100, 0, 0],
    ],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
    [
      [255, 0, 0],
      [53.24, 80.09, 67.2],
    ],
    [
      [0, 255, 0],
      [87.73, -86.18, 83.18],
    ],
    [
      [0, 0, 255],
      [32.3, 79.19, -107.86],
    ],
  ];
  for (const [rgb, lab] of known) {
    it(`of sRGB ${rgb.join(', ')} is ${lab.join(', ')}`, () => {
      labOf(rgb).forEach((value, i) => expect(value).to.be.closeTo(lab[i]!, 0.01));
    });
  }

  it('leads back to where it came from', () => {
    const steps = [0, 1, 17, 64, 128, 200, 254, 255];
    const colours = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => [r, g, b] as const)));
    expect(colours.map((colour) => rgbOf(labOf(colour)))).to.deep.equal(colours);
  });
});

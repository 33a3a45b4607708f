import { expect } from 'chai';
import { overlaps } from '../../../../plugins/samples/algorithms/text-summary/overlap.ts';
import { pageRank } from '../../../../plugins/samples/algorithms/text-summary/rank.ts';
import { run } from '../../../../plugins/samples/algorithms/text-summary/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';

const english = { language: 'en' } as const;

const TEXT =
  'The river rose in the night. Boats were tied to the harbour wall. The river flooded the harbour and the boats sank. ' +
  'Somebody sang. The harbour wall held against the river.';

describe('Text summary', () => {
  it('picks the sentence that shares most words with the others', () => {
    expect(run({ text: TEXT }, { sentences: 1, ...english }).summary).to.equal(
      'The river flooded the harbour and the boats sank.',
    );
  });

  it('answers sentences in their order, word for word', () => {
    const { sentences, summary } = run({ text: TEXT }, { sentences: 3, ...english });
    const positions = sentences.map(({ position }) => position);
    expect(positions)
      .to.deep.equal(positions.toSorted((a, b) => a - b))
      .and.to.have.length(3);
    for (const { sentence } of sentences) expect(TEXT).to.include(sentence);
    expect(summary).to.equal(sentences.map(({ sentence }) => sentence).join(' '));
  });

  it('answers the whole text when more sentences are asked for than there are', () => {
    expect(run({ text: TEXT }, { sentences: 50, ...english }).summary).to.equal(TEXT);
  });

  it('copes with a single sentence and with sentences that share nothing', () => {
    const texts = ['One sentence.', 'Apples grow. Ships sail. Birds sing.'];
    expect(texts.map((text) => run({ text }, { sentences: 1, ...english }).sentences.length)).to.deep.equal([
      1, 1,
    ]);
  });

  it('refuses a text without words', () => {
    expect(() => run({ text: '12. 34. !' }, { sentences: 1, ...english })).to.throw(
      InputRejected,
      'no words',
    );
  });

  it('refuses more than 500 sentences', () => {
    const text = 'A word is here. '.repeat(501);
    expect(() => run({ text }, { sentences: 1, ...english })).to.throw(InputRejected, '501 sentences');
  });
});

describe('The overlap of sentences', () => {
  it('is the words in common by the logarithms of the lengths, both ways alike', () => {
    const [first, second, third] = overlaps([['a', 'b', 'c', 'a'], ['b', 'c', 'd', 'e'], ['f']]);
    const known = 2 / (Math.log(3) + Math.log(4));
    expect([first![1], second![0]]).to.deep.equal([known, known]);
    expect([...third!, first![0]]).to.deep.equal([0, 0, 0, 0]);
  });
});

describe('PageRank', () => {
  const rows = (...weights: number[][]) => weights.map((row) => Float64Array.from(row));

  it('agrees with the stationary distribution computed with numpy', () => {
    const ranks = pageRank(rows([0, 1, 2, 0], [1, 0, 0, 0.5], [2, 0, 0, 1], [0, 0.5, 1, 0]));
    [0.3208333333, 0.1791666667, 0.3208333333, 0.1791666667].forEach((rank, i) =>
      expect(ranks[i]).to.be.closeTo(rank, 1e-8),
    );
  });

  it('gives all nodes together 1, joined or not', () => {
    const ranks = pageRank(rows([0, 1, 0], [1, 0, 0], [0, 0, 0]));
    expect(ranks.reduce((sum, rank) => sum + rank, 0)).to.be.closeTo(1, 1e-9);
  });
});

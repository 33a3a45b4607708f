import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/text-similarity/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';

const everyWord = { language: 'en', ignore_common_words: false, max_pairs: 20 } as const;

const TEXTS = [
  'the cat sat on the mat',
  'the dog sat on the log',
  'cats and dogs are pets',
  'a mat is not a log but a mat',
];

describe('Text similarity', () => {
  it('agrees with the TF-IDF of scikit-learn', () => {
    const { matrix } = run({ texts: TEXTS }, everyWord);
    const known = [
      [1, 0.696963631117, 0, 0.138264093303],
      [0.696963631117, 1, 0, 0.069132046652],
      [0, 0, 1, 0],
      [0.138264093303, 0.069132046652, 0, 1],
    ];
    matrix.forEach((row, i) => row.forEach((value, j) => expect(value).to.be.closeTo(known[i]![j]!, 1e-11)));
  });

  it('answers pairs, most alike first, and the words that make them so', () => {
    const { pairs } = run({ texts: TEXTS }, everyWord);
    expect(pairs).to.have.length(6);
    expect(pairs[0]).to.deep.include({ first: 1, second: 2, shared_terms: ['the', 'on', 'sat'] });
  });

  it('answers as many pairs as asked for', () => {
    expect(run({ texts: TEXTS }, { ...everyWord, max_pairs: 2 }).pairs).to.have.length(2);
  });

  it('calls equal texts equal, whatever their order of words', () => {
    const { pairs } = run({ texts: ['green apples fall', 'fall green apples', 'fall'] }, everyWord);
    expect(pairs[0]!.similarity).to.be.closeTo(1, 1e-12);
  });

  it('never answers more than 1', () => {
    const { matrix } = run({ texts: TEXTS.map((text) => `${text} `.repeat(40)) }, everyWord);
    expect(Math.max(...matrix.flat())).to.be.at.most(1);
  });

  it('passes over common words when asked to', () => {
    const texts = ['the house', 'the garden'];
    const similarities = [true, false].map(
      (ignore_common_words) => run({ texts }, { ...everyWord, ignore_common_words }).pairs[0]!.similarity,
    );
    expect(similarities[0]).to.equal(0);
    expect(similarities[1]).to.be.greaterThan(0);
  });

  it('refuses a text of which nothing is left', () => {
    const texts = ['a house', 'the of and'];
    expect(() => run({ texts }, { ...everyWord, ignore_common_words: true })).to.throw(
      InputRejected,
      'Text 2',
    );
  });
});

import { expect } from 'chai';
import { run } from '../../../../plugins/samples/algorithms/keyword-extraction/run.ts';
import { InputRejected } from '../../../../plugins/samples/input-rejected.ts';

const usual = { language: 'en', max_keywords: 10, max_words: 4, min_occurrences: 1 } as const;

/** The abstract that Rose et al. (2010) work through. */
const ABSTRACT =
  'Compatibility of systems of linear constraints over the set of natural numbers. Criteria of compatibility of a ' +
  'system of linear Diophantine equations, strict inequations, and nonstrict inequations are considered. Upper bounds ' +
  'for components of a minimal set of solutions and algorithms of construction of minimal generating sets of ' +
  'solutions for all types of systems are given. These criteria and the corresponding algorithms for constructing a ' +
  'minimal supporting set of solutions can be used in solving all the considered types of systems and systems of ' +
  'mixed types.';

const scores = (text: string, params: object = {}) =>
  run({ text }, { ...usual, ...params }).keywords.map(({ keyword, score }) => [
    keyword,
    Math.round(score * 10) / 10,
  ]);

describe('Keyword extraction', () => {
  it('scores the example of its inventors as they do', () => {
    expect(scores(ABSTRACT).slice(0, 9)).to.deep.equal([
      ['minimal generating sets', 8.7],
      ['linear diophantine equations', 8.5],
      ['minimal supporting set', 7.7],
      ['minimal set', 4.7],
      ['linear constraints', 4.5],
      ['natural numbers', 4],
      ['nonstrict inequations', 4],
      ['strict inequations', 4],
      ['upper bounds', 4],
    ]);
  });

  it('breaks phrases at punctuation and at common words', () => {
    const found = scores('Red wine, white wine and the old bottle; new cork.').map(([keyword]) => keyword);
    expect(found).to.have.members(['red wine', 'white wine', 'old bottle', 'new cork']);
  });

  it('counts how often a phrase occurs and can ask for more than one', () => {
    const text = 'Solar panel here. A solar panel there. Wind turbine elsewhere.';
    const { keywords } = run({ text }, { ...usual, min_occurrences: 2 });
    expect(keywords).to.deep.equal([{ keyword: 'solar panel', score: 4, occurrences: 2 }]);
  });

  it('leaves longer phrases out when asked to', () => {
    const found = scores(ABSTRACT, { max_words: 2, max_keywords: 100 }).map(([keyword]) => String(keyword));
    expect(found.filter((keyword) => keyword.split(' ').length > 2)).to.deep.equal([]);
  });

  it('knows the common words of other languages', () => {
    const found = scores('Die Wärmepumpe und der Kältekreis.', { language: 'de' }).map(
      ([keyword]) => keyword,
    );
    expect(found).to.have.members(['wärmepumpe', 'kältekreis']);
  });

  for (const text of ['the and of', '12 345 6.7', '... !!!', ' ']) {
    it(`refuses "${text}", which holds no keyword`, () => {
      expect(() => run({ text }, usual)).to.throw(InputRejected, 'holds no keywords');
    });
  }
});

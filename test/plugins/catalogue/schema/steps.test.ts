import { expect } from 'chai';
import { compileCheck } from '../../../../plugins/catalogue/schema/compile.ts';
import { processorMs } from '../../../support/processor-time.ts';

const isMultiple = (value: number, multipleOf: number): boolean =>
  compileCheck({ multipleOf })(value).length === 0;

describe('A step', () => {
  const multiples: readonly (readonly [value: number, step: number])[] = [
    [0.3, 0.1], [-0.3, 0.1], [0, 0.1], [-0, 0.1], [19.99, 0.01], [1.1, 0.1], [4.35, 0.01], [1e-7, 1e-7], [0.7, 0.07],
    [123_456_789_012.34, 0.01], [9_007_199_254_740.99, 0.01], [12_391_239_123, 1e-8], [1e308, 0.5], [1e308, 5],
    [1e23, 10], [9_007_199_254_740_992, 2], [9_007_199_254_740_994, 0.1], [7.5, 2.5], [5e-324, 5e-324], [1e300, 1e-300],
  ]; // oxfmt-ignore
  for (const [value, step] of multiples) {
    it(`of ${step} leads to ${value}`, () => {
      expect(isMultiple(value, step)).to.equal(true);
    });
  }

  const others: readonly (readonly [value: number, step: number])[] = [
    [0.35, 0.1], [0.30000000000000004, 0.1], [19.995, 0.01], [1e-8, 1e-7], [3, 2], [0.75, 0.07], [1e-300, 0.1],
    [9_007_199_254_740_994, 4], [1e23, 7], [9_007_199_254_740.99, 0.1], [1e308, 0.123456789], [0.1, 3],
  ]; // oxfmt-ignore
  for (const [value, step] of others) {
    it(`of ${step} does not lead to ${value}`, () => {
      expect(isMultiple(value, step)).to.equal(false);
    });
  }

  it('names itself where it is missed', () => {
    expect(compileCheck({ items: { multipleOf: 0.1 } })([0.35])).to.deep.equal([
      { pointer: '/0', message: 'must be multiple of 0.1.' },
    ]);
  });

  it('is no slower than a moment for as many numbers as a body holds', () => {
    const check = compileCheck({ items: { multipleOf: 0.01 } });
    const numbers = Array.from({ length: 400_000 }, (_, index) => index / 100 + 1_000_000_000_000);
    expect(processorMs(() => expect(check(numbers)).to.deep.equal([]))).to.be.lessThan(2_000);
  });
});

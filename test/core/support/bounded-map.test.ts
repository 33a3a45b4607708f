import { expect } from 'chai';
import { BoundedMap } from '../../../core/support/bounded-map.ts';

describe('a bounded map', () => {
  const mapOf = (...values: number[]): BoundedMap<number> => {
    const map = new BoundedMap<number>(2, (value) => value === 0);
    values.forEach((value, key) => map.set(String(key), value));
    return map;
  };

  it('makes what is missing, once', () => {
    const map = mapOf();
    expect([map.getOrMake('a', () => 1), map.getOrMake('a', () => 2), map.find('b')]).to.deep.equal([
      1,
      1,
      undefined,
    ]);
  });

  it('forgets the oldest that may be forgotten when it is full', () => {
    const map = mapOf(1, 0);
    map.set('new', 2);
    expect([map.find('0'), map.find('1'), map.find('new')]).to.deep.equal([1, undefined, 2]);
  });

  it('keeps all when none may be forgotten', () => {
    const map = mapOf(1, 2, 3);
    expect([...map.values()]).to.deep.equal([1, 2, 3]);
  });

  it('forgets nothing for a new value of what it has', () => {
    const map = mapOf(0, 0);
    map.set('1', 5);
    expect([...map.values()]).to.deep.equal([0, 5]);
  });
});

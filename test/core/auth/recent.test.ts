import { expect } from 'chai';
import { Recent } from '../../../core/auth/recent.ts';

describe('the memory of recent things', () => {
  it('answers what was put in', () => {
    const recent = new Recent<number>(10);
    recent.set('a', 1);
    expect(recent.get('a')).to.equal(1);
  });

  it('never holds more than its capacity', () => {
    const recent = new Recent<number>(10);
    const sizes = Array.from({ length: 1_000 }, (_, turn) => {
      recent.set(String(turn), turn);
      return recent.size;
    });
    expect(Math.max(...sizes)).to.equal(10);
  });

  it('keeps what is used while it forgets what is not', () => {
    const recent = new Recent<number>(10);
    recent.set('used', 1);
    recent.set('unused', 2);
    for (let turn = 0; turn < 100; turn++) {
      recent.set(String(turn), turn);
      recent.get('used');
    }
    expect([recent.get('used'), recent.get('unused')]).to.deep.equal([1, undefined]);
  });

  it('forgets what is deleted, in whichever generation it is', () => {
    const recent = new Recent<number>(4);
    for (const key of ['old', 'a', 'young']) recent.set(key, 1);
    recent.delete('old');
    recent.delete('young');
    expect([recent.get('old'), recent.get('young')]).to.deep.equal([undefined, undefined]);
  });
});

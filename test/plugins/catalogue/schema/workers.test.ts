import { expect } from 'chai';
import { branching, nested } from '../support/bombs.ts';
import { faultsOf, openValidator } from '../support/validator.ts';

const PATTERN = { pattern: '^a' };

describe('The workers that check schemas', () => {
  it('end with the service: later checks are refused, and nothing hangs', async () => {
    const { validator, stop } = openValidator();
    await validator.checkFor(PATTERN)('a');
    await stop();
    const problem = await Promise.resolve()
      .then(() => validator.checkFor(PATTERN)('a'))
      .catch((error) => error);
    expect(problem).to.include({ code: 'not_ready', status: 503 });
  });

  it('let go of what waits when the service stops', async () => {
    const { validator, stop } = openValidator({ workers: 1 });
    const codes = Promise.all(
      Array.from({ length: 5 }, () =>
        Promise.resolve(validator.checkFor(PATTERN)('a')).then(
          () => 'checked',
          (error) => error.code as string,
        ),
      ),
    );
    await stop();
    expect(new Set(await codes)).to.deep.equal(new Set(['not_ready']));
  });

  it('do not take a busy main thread for a slow schema', async () => {
    const { validator, stop } = openValidator({ compileMs: 2_000, checkMs: 300 });
    const check = validator.checkFor(PATTERN);
    await check('a');
    const answer = check('b');
    const began = performance.now();
    while (performance.now() - began < 600);
    expect(await answer).to.have.length(1);
    await stop();
  });

  it('leave one thread to others, however many check a value against a costly schema', async () => {
    const { validator, stop } = openValidator();
    const costlyCheck = validator.checkFor(branching('allOf'));
    const value = nested(60, { next: 1 });
    let ended = 0;
    const costly = Array.from({ length: 16 }, () =>
      Promise.resolve(costlyCheck(value)).catch(() => void (ended += 1)),
    );
    await validator.checkFor(PATTERN)('a');
    expect(ended).to.be.below(4);
    await stop();
    await Promise.all(costly);
  });

  it('give each schema its time, however many come at once', async () => {
    const { validator, stop } = openValidator({ compileMs: 5_000, checkMs: 5_000 });
    const schemas = Array.from({ length: 20 }, (_, n) => ({ pattern: `^${n}`, minLength: n }));
    const faults = await Promise.all(schemas.map((schema) => faultsOf(validator, schema)));
    expect(faults.flat()).to.deep.equal([]);
    await stop();
  });
});

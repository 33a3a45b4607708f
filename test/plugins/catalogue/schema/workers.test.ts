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

  it('are not needed for a schema that is certainly cheap', async () => {
    const { validator, stop } = openValidator();
    await stop();
    expect(await faultsOf(validator, { type: 'object', required: ['a'] })).to.deep.equal([]);
    const faults = await faultsOf(validator, { type: 'text' });
    expect(faults).to.have.length(1);
    expect(faults[0]).to.match(/^\/type must be one of /);
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

  it('leave the threads of other schemas alone, however many check a value against a costly one', async () => {
    const { validator, stop } = openValidator();
    const check = validator.checkFor(PATTERN);
    for (let thread = 0; thread <= 2; thread += 1) await check('a');
    const costlyCheck = validator.checkFor(branching('allOf'));
    const value = nested(60, { next: 1 });
    let ended = 0;
    const costly = Array.from({ length: 16 }, () =>
      Promise.resolve(costlyCheck(value)).catch(() => void (ended += 1)),
    );
    for (let round = 0; round < 20; round += 1) await check('a');
    expect(ended).to.equal(0);
    await Promise.all(costly);
    await check('a');
    await stop();
  });

  it('pause a schema after three misses in a row, and try it once when the pause is over', async () => {
    let now = 0;
    const { validator, tooCostly, stop } = openValidator({ now: () => now });
    const marks: (number | undefined)[] = [];
    const check = validator.checkFor(branching('allOf'), async (until) => void marks.push(until));
    const outcome = (value: unknown) =>
      Promise.resolve(check(value)).then(
        () => 'checked',
        (error) => error.extras.headers?.['Retry-After'] ?? error.code,
      );
    const [costly, harmless] = [nested(60, { next: 1 }), {}];
    const first: string[] = [];
    for (let round = 0; round < 4; round += 1) first.push(await outcome(costly));
    expect(first).to.deep.equal([...Array(3).fill('schema_too_costly'), '60']);
    expect(marks).to.deep.equal([undefined, undefined, 60_000, 60_000]);
    now = 59_001;
    expect(await outcome(harmless)).to.equal('1');
    now = 60_000;
    expect([await outcome(costly), await outcome(harmless)]).to.deep.equal(['schema_too_costly', '60']);
    now = 120_000;
    expect([await outcome(harmless), await outcome(costly)]).to.deep.equal(['checked', 'schema_too_costly']);
    expect(await outcome(harmless)).to.equal('checked');
    expect(tooCostly.count).to.equal(5);
    await stop();
  });

  it('go on with a schema that is late now and then', async () => {
    const { validator, stop } = openValidator();
    const check = validator.checkFor(branching('allOf'));
    for (let round = 0; round < 4; round += 1) {
      await Promise.resolve(check(nested(60, { next: 1 }))).catch(() => undefined);
      expect(await check({})).to.deep.equal([]);
    }
    await stop();
  });

  it('do not save a schema that is paused', async () => {
    const { validator, stop } = openValidator();
    const schema = branching('allOf');
    const check = validator.checkFor(schema);
    for (let round = 0; round < 3; round += 1)
      await Promise.resolve(check(nested(60, { next: 1 }))).catch(() => undefined);
    expect((await faultsOf(validator, schema)).join()).to.match(/takes too long/);
    await stop();
  });

  it('give each schema its time, however many come at once', async () => {
    const { validator, stop } = openValidator({ compileMs: 5_000, checkMs: 5_000 });
    const schemas = Array.from({ length: 20 }, (_, n) => ({ pattern: `^${n}`, minLength: n }));
    const faults = await Promise.all(schemas.map((schema) => faultsOf(validator, schema)));
    expect(faults.flat()).to.deep.equal([]);
    await stop();
  });
});

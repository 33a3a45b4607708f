import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import {
  EXAMPLE_RUNNER,
  ExampleRunner,
  type ExampleRunnerDeps,
} from '../../../plugins/checks/run-examples.ts';
import { made } from '../../support/other-services.ts';
import { openStandIn, RIGHT, WRONG, type Checked, type StandIn } from './support/stand-in.ts';

describe('The result of a check', () => {
  onEveryEngine((engine) => {
    let standIn: StandIn;
    let of: Checked;
    const check = () => standIn.ask('POST', `${of.path}/checks`);
    const one = async () => (await check()).examples[0];
    const places = async () => (await one()).differences.map(({ pointer }: { pointer: string }) => pointer);

    before(async () => {
      standIn = await openStandIn(engine, [
        made(EXAMPLE_RUNNER, (deps: ExampleRunnerDeps) => new ExampleRunner({ ...deps, deadlineMs: 1_000 })),
      ]);
    });
    after(() => standIn.stop());
    beforeEach(() => standIn.answers(RIGHT));
    afterEach(() => standIn.ask('DELETE', `/algorithms/${of.algorithm_id}`));

    it('says who asked, how long it took, and what became of each example', async () => {
      of = await standIn.checked();
      const made = await check();
      const { id: user } = await standIn.ask('GET', '/users/me');
      const [{ id }] = await standIn.ask('GET', `${of.path}/examples`);
      expect(made).to.include({ passed: true, asked_by: user });
      expect(made.examples).to.have.lengthOf(1);
      expect(made.examples[0]).to.deep.include({
        example_id: id,
        name: 'One',
        outcome: 'passed',
        differences: [],
      });
      expect((await standIn.ask('GET', `${of.path}/checks`)).checks).to.deep.equal([made]);
    });

    it('is in the audit trail where somebody asked for it, and not where the schedule did', async () => {
      of = await standIn.checked();
      await standIn.hoursLater();
      const entries = async () =>
        (await standIn.ask('GET', `/audit?action=version.check&target_id=${of.version_id}`)).entries;
      expect(await entries()).to.deep.equal([]);
      await check();
      const [entry, ...others] = await entries();
      expect(entry).to.deep.include({ actor_kind: 'key', after: { passed: true } });
      expect(others).to.deep.equal([]);
    });

    it('names what differs, what is missing and what is too much', async () => {
      const expected = { a: { b: [1, 2], 'c/d': 'x' }, gone: true };
      of = await standIn.checked({ output_data: expected });
      standIn.answers(() => ({ more: null, a: { 'c/d': 'y', b: [1] } }));
      const { outcome, differences } = await one();
      expect(outcome).to.equal('failed');
      expect(differences).to.deep.equal([
        { pointer: '/a/b/1', expected: '2', got: null, withheld: false },
        { pointer: '/a/c~1d', expected: '"x"', got: '"y"', withheld: false },
        { pointer: '/gone', expected: 'true', got: null, withheld: false },
        { pointer: '/more', expected: null, got: 'null', withheld: false },
      ]);
    });

    it('does not depend on the order of names', async () => {
      of = await standIn.checked({ output_data: { a: 1, b: { c: 2, d: 3 } } });
      standIn.answers(() => ({ b: { d: 3, c: 2 }, a: 1 }));
      expect(await places()).to.deep.equal([]);
    });

    it('names twenty differences, and cuts long values around the first one', async () => {
      of = await standIn.checked({ output_data: { text: `${'a'.repeat(500)}b${'c'.repeat(500)}` } });
      standIn.answers(() => ({
        text: 'a'.repeat(502) + 'c'.repeat(500),
        list: Array.from({ length: 50 }, String),
      }));
      const { differences } = await one();
      expect(differences[0].expected).to.match(/^…a{29,30}bc{160,}…$/);
      expect(differences[0].got.length).to.be.lessThan(210);
      standIn.answers(() => Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, n])));
      expect(await places()).to.have.lengthOf(20);
    });

    for (const [tolerance, got, differs] of [
      [null, 10.000001, true],
      [null, 10, false],
      [{ absolute: 0.5 }, 10.5, false],
      [{ absolute: 0.5 }, 10.51, true],
      [{ relative: 0.1 }, 9, false],
      [{ relative: 0.1 }, 8.99, true],
      [{ absolute: 2, relative: 0.1 }, 12, false],
      [{ absolute: 2 }, '10', true],
    ] as const) {
      it(`takes ${JSON.stringify(got)} for ${differs ? 'something else than' : 'as good as'} 10 within ${JSON.stringify(tolerance)}`, async () => {
        of = await standIn.checked({ output_data: { value: [10] }, tolerance });
        standIn.answers(() => ({ value: [got] }));
        expect(await places()).to.deep.equal(differs ? ['/value/0'] : []);
      });
    }

    it('is good for an example without an expected output when the output schema allows the answer', async () => {
      const output_schema = { type: 'object', properties: { value: { type: 'integer' } } };
      of = await standIn.checked({}, { version: { output_schema } });
      await standIn.addExample(of, { name: 'Any', output_data: null });
      expect((await check()).passed).to.equal(true);
      standIn.answers(({ body }) => ({ value: 'name' in body.input_data ? 'x' : 1 }));
      await standIn.addExample(of, { name: 'Other', output_data: null, input_data: { name: 1 } });
      const { passed, examples } = await check();
      expect(passed).to.equal(false);
      const wrong = examples.filter(({ outcome }: { outcome: string }) => outcome === 'failed');
      expect(wrong).to.have.lengthOf(1);
      expect(wrong[0]).to.include({ name: 'Other', error_code: 'output_invalid' });
    });

    it('names why a call failed', async () => {
      of = await standIn.checked();
      standIn.answers(() => undefined);
      const example = await one();
      expect(example).to.include({ outcome: 'failed', error_code: 'upstream_error' });
      expect(example.error_message).to.match(/500/);
    });

    it('fails when the first example takes all the time, and skips those for which none is left', async () => {
      of = await standIn.checked();
      await standIn.addExample(of, { name: 'Two' });
      let asked = 0;
      standIn.answers(() => (++asked > 1 ? new Promise(() => undefined) : { value: 1 }));
      expect((await check()).examples.map(({ outcome }: any) => outcome)).to.deep.equal([
        'passed',
        'skipped',
      ]);
      standIn.answers(() => new Promise(() => undefined));
      const { passed, examples } = await check();
      expect([passed, examples.map(({ outcome }: any) => outcome)]).to.deep.equal([
        false,
        ['failed', 'skipped'],
      ]);
      expect(examples[0].error_code).to.equal('check_timeout');
    });

    describe('of an algorithm with a payload policy', () => {
      for (const [rule, told] of [
        [{ mode: 'store' }, { got: '2', withheld: false }],
        [{ mode: 'drop' }, { got: null, withheld: true }],
        [{ mode: 'hash' }, { got: null, withheld: true }],
        [
          { mode: 'redact', pointers: ['/value'] },
          { got: null, withheld: true },
        ],
        [
          { mode: 'redact', pointers: ['/other'] },
          { got: '2', withheld: false },
        ],
      ] as const) {
        it(`has of an answer what the policy keeps: ${JSON.stringify(rule)}`, async () => {
          of = await standIn.checked();
          await standIn.ask('PUT', `/algorithms/${of.algorithm_id}/payload-policy`, { output_data: rule });
          standIn.answers(WRONG);
          const expected = [{ pointer: '/value', expected: '1', ...told }];
          expect((await one()).differences).to.deep.equal(expected);
          const [stored] = (await standIn.ask('GET', `${of.path}/checks`)).checks;
          expect(stored.examples[0].differences).to.deep.equal(expected);
        });
      }

      it('does not quote an answer in the words of a failure', async () => {
        of = await standIn.checked();
        await standIn.ask('PUT', `/algorithms/${of.algorithm_id}/payload-policy`, {
          output_data: { mode: 'drop' },
        });
        standIn.answers(() => undefined);
        const { error_message } = await one();
        expect(error_message).to.not.match(/500/);
      });
    });

    it('is refused with the reason where there is nothing to check', async () => {
      of = await standIn.checked(null);
      const nothing = await standIn.send('POST', `${of.path}/checks`);
      expect([nothing.status, nothing.body.code]).to.deep.equal([409, 'nothing_to_check']);
      await standIn.addExample(of);
      await standIn.ask('PUT', `/algorithms/${of.algorithm_id}`, { status: 'inactive' });
      const inactive = await standIn.send('POST', `${of.path}/checks`);
      expect([inactive.status, inactive.body.code]).to.deep.equal([409, 'algorithm_inactive']);
      expect((await standIn.ask('GET', `${of.path}/checks`)).checks).to.deep.equal([]);
    });
  });
});

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { DATABASE } from '../../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../../core/testing.ts';
import { CALL_LOG } from '../../../../plugins/invocation/contract.ts';
import { PAYLOAD_REDUCER } from '../../../../plugins/invocation/payload/reducer.ts';
import { HEARD_ELSEWHERE_MS, until } from '../../../support/until.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';
import { migratedScratch } from '../../../support/databases/migrated-scratch.ts';

const input_data = { name: 'Ada' };

async function startBoth(scratch: Scratch): Promise<{ here: Stage; there: Stage; of: Playable }> {
  const here = await startStage('postgres', undefined, { scratch });
  const of = await here.play();
  return { here, there: await startStage('postgres', undefined, { scratch }), of };
}

describe('A payload policy with two instances on one PostgreSQL', () => {
  let scratch: Scratch;
  let here: Stage;
  let there: Stage;
  let of: Playable;
  beforeEach(async () => {
    scratch = await migratedScratch('postgres');
    ({ here, there, of } = await startBoth(scratch));
  });
  afterEach(async () => {
    await Promise.all([here.stop(), there.stop()]);
    await scratch.remove();
  });

  /** The recorded input of a call through an instance. */
  const keptBy = async (stage: Stage): Promise<unknown> => {
    const { id } = (await stage.call(of, { input_data })).body;
    return (await here.get(CALL_LOG).find(id))!.input_data;
  };
  /** Sets a policy; without one, deletes what is set. */
  const change = async (policy?: object): Promise<void> => {
    const path = `/algorithms/${of.algorithm_id}/payload-policy`;
    const answer = policy
      ? await here.request('PUT', path, { token: here.admin, body: policy })
      : await here.request('DELETE', path, { token: here.admin });
    expect(answer.status).to.equal(200);
  };

  const dropped = { input_data: { mode: 'drop' } };
  const redacted = { input_data: { mode: 'redact', pointers: ['/name'] } };
  for (const { what, from, to, before, after } of [
    { what: 'set', from: undefined, to: dropped, before: input_data, after: null },
    { what: 'changed', from: dropped, to: redacted, before: null, after: { name: '[redacted]' } },
    { what: 'deleted', from: redacted, to: undefined, before: { name: '[redacted]' }, after: input_data },
  ]) {
    it(`holds here at once and there soon and ever after when it is ${what}`, async () => {
      if (from) await change(from);
      const isRemembered = () => !(there.get(PAYLOAD_REDUCER).policyOf(of.algorithm_id) instanceof Promise);
      // A late invalidation of an earlier change makes the instance read the policy again.
      await until(
        async () => isDeepStrictEqual(await keptBy(there), before) && isRemembered(),
        HEARD_ELSEWHERE_MS,
      );
      await change(to);
      expect(await keptBy(here)).to.deep.equal(after);
      await until(async () => isDeepStrictEqual(await keptBy(there), after), HEARD_ELSEWHERE_MS);
      for (let n = 0; n < 20; n += 1) expect(await keptBy(there)).to.deep.equal(after);
    });
  }

  it('makes the same digest on both, which share their secret', async () => {
    await change({ input_data: { mode: 'hash' } });
    const digestBy = async (stage: Stage): Promise<unknown> => {
      const { id } = (await stage.call(of, { input_data })).body;
      return (await here.get(CALL_LOG).find(id))!.payload?.digests?.input_data;
    };
    await until(async () => (await digestBy(there)) !== undefined, HEARD_ELSEWHERE_MS);
    const digest = await digestBy(here);
    expect(digest).to.be.a('string');
    expect(await digestBy(there)).to.equal(digest);
  });
});

describe('A payload policy and its algorithm', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    before(async () => {
      stage = await startStage(engine);
    });
    after(() => stage.stop());

    it('end together: a missing policy does not count for a deleted algorithm', async () => {
      const { algorithm_id } = await stage.play();
      const path = `/algorithms/${algorithm_id}/payload-policy`;
      await stage.request('PUT', path, { token: stage.admin, body: { input_data: { mode: 'drop' } } });
      await stage.request('DELETE', `/algorithms/${algorithm_id}`, { token: stage.admin });
      const policies = stage.get(DATABASE).knex('invocation_payload_policies').where({ algorithm_id });
      await until(async () => (await policies.clone()).length === 0);
      const failure = await Promise.resolve(stage.get(PAYLOAD_REDUCER).policyOf(algorithm_id)).catch(
        (error: { code: string }) => error.code,
      );
      expect(failure).to.equal('algorithm_not_found');
    });
  });
});

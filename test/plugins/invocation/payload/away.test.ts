import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { DATABASE, INVALIDATION } from '../../../../core/index.ts';
import { onEveryEngine, type Scratch } from '../../../../core/testing.ts';
import { testPostgresUrl } from '../../../../core/testing/scratch.ts';
import { CALL_LOG } from '../../../../plugins/invocation/contract.ts';
import { PAYLOAD_POLICY_CHANGED_TOPIC } from '../../../../plugins/invocation/payload/policy-table.ts';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';
import { migratedScratch } from '../../../support/databases/migrated-scratch.ts';

const DROPPED = { input_data: { mode: 'drop' } };

/** Makes an algorithm, optionally with a policy that drops its input. */
async function played(stage: Stage, hasPolicy: boolean): Promise<Playable> {
  const of = await stage.play();
  const path = `/algorithms/${of.algorithm_id}/payload-policy`;
  if (hasPolicy) await stage.request('PUT', path, { token: stage.admin, body: DROPPED });
  return of;
}

async function recordOf(stage: Stage, of: Playable): Promise<unknown> {
  const { id } = (await stage.call(of, { input_data: { n: 1 } })).body;
  return (await stage.get(CALL_LOG).find(id))?.input_data;
}

describe('While payload policies cannot be read', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let isHidden = false;
    const hide = async (hidden: boolean): Promise<void> => {
      const names = ['invocation_payload_policies', 'invocation_hidden'] as const;
      const [from, to] = hidden ? names : names.toReversed();
      await stage.get(DATABASE).transaction(async (trx) => trx.schema.renameTable(from!, to!));
      isHidden = hidden;
    };
    before(async () => {
      stage = await startStage(engine);
    });
    afterEach(async () => {
      if (isHidden) await hide(false);
    });
    after(() => stage.stop());

    for (const hasPolicy of [true, false]) {
      it(`a call of an algorithm ${hasPolicy ? 'with' : 'without'} one is refused, and no endpoint is asked`, async () => {
        const of = await played(stage, hasPolicy);
        const kept = hasPolicy ? null : { n: 1 };
        expect(await recordOf(stage, of)).to.deep.equal(kept);
        await hide(true);
        const asked = stage.upstream.requests.length;
        await stage
          .get(DATABASE)
          .transaction(async (trx) =>
            stage.get(INVALIDATION).publish(trx, PAYLOAD_POLICY_CHANGED_TOPIC, of.algorithm_id),
          );
        for (let n = 0; n < 2; n += 1) {
          const { status, body, headers } = await stage.call(of);
          expect([status, body.code]).to.deep.equal([503, 'store_unavailable']);
          expect(headers).to.have.property('retry-after');
        }
        expect(stage.upstream.requests).to.have.length(asked);
        expect(await stage.get(CALL_LOG).count({ algorithmId: of.algorithm_id })).to.equal(1);
        await hide(false);
        expect(await recordOf(stage, of)).to.deep.equal(kept);
      });
    }
  });
});

describe('While a PostgreSQL with payload policies is away', () => {
  let scratch: Scratch;
  let proxy: TcpProxy;
  let stage: Stage;
  before(async () => {
    scratch = await migratedScratch('postgres');
    const { hostname, port } = new URL(testPostgresUrl());
    proxy = await startTcpProxy(hostname, Number(port || '5432'));
    const through = new URL(scratch.databaseUrl);
    through.host = `127.0.0.1:${proxy.port}`;
    stage = await startStage('postgres', undefined, {
      scratch,
      settings: {
        database: { url: through.href.replaceAll('+', '%20'), connect_timeout_ms: 500 },
      },
    });
  });
  after(async () => {
    await stage.stop();
    await proxy.stop();
    await scratch.remove();
  });

  it('calls are refused and nothing is sent; afterwards the policy applies as before', async () => {
    const of = await played(stage, true);
    expect(await recordOf(stage, of)).to.equal(null);
    proxy.cut();
    // Until then the database is assumed to be available, and cached policies are used.
    await pause(1_200);
    const asked = stage.upstream.requests.length;
    for (let n = 0; n < 3; n += 1) expect((await stage.call(of)).status).to.equal(503);
    expect(stage.upstream.requests).to.have.length(asked);
    proxy.mend();
    let status = 503;
    for (let n = 0; n < 100 && status === 503; n += 1) {
      await pause(50);
      ({ status } = await stage.call(of));
    }
    expect(await recordOf(stage, of)).to.equal(null);
  });
});

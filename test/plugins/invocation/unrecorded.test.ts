import { expect } from 'chai';
import { contribute, definePlugin, type UserPrincipal } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import {
  CALL_GUARDS,
  CALL_LOG,
  CALL_STATISTICS,
  INVOKER,
  RECORD_HOOKS,
  type CallGuard,
  type UnrecordedCall,
} from '../../../plugins/invocation/contract.ts';
import { startStage, type Playable, type Stage } from './support/stage.ts';

const ROBOT: UserPrincipal = {
  kind: 'user',
  userId: 'robot',
  username: 'robot',
  role: 'admin',
  via: 'tests:robot',
  credentialId: 'robot',
};

describe('A call that leaves no record', () => {
  onEveryEngine((engine) => {
    const seen: string[] = [];
    const note = (what: string) => () => void seen.push(what);
    const guard: CallGuard = {
      name: 'witness',
      receive: note('receive'),
      chooseVersion: () => void seen.push('chooseVersion'),
      admit: note('admit'),
      around: async (_, send) => {
        seen.push('around');
        return await send();
      },
    };
    const witness = definePlugin({
      id: 'witness',
      version: '1.0.0',
      api: '^1.0',
      summary: 'Sees what guards and hooks see',
      requires: ['invocation'],
      contributes: [
        contribute(CALL_GUARDS, { deps: {}, create: () => guard }),
        contribute(RECORD_HOOKS, {
          deps: {},
          create: () => ({ name: 'witness', rowsFor: () => (note('record')(), []) }),
        }),
      ],
    });
    let stage: Stage;
    const call = (of: Playable, input_data: Record<string, unknown> = {}): Promise<UnrecordedCall> =>
      stage.get(INVOKER).callUnrecorded(
        ROBOT,
        { ...of, input_data },
        {
          channel: 'direct',
          address: '127.0.0.1',
          requestId: 'of-the-test',
          traceparent: `00-${'1'.repeat(32)}-${'2'.repeat(16)}-00`,
          signal: new AbortController().signal,
        },
      );

    before(async () => {
      stage = await startStage(engine, ({ path }) => ({ path }), {
        plugins: [witness],
        settings: { invocation: { journal: 'intent' } },
      });
    });
    after(() => stage.stop());
    beforeEach(() => void seen.splice(0));

    it('asks the endpoint as any call does', async () => {
      const of = await stage.play({ algorithm: { access: 'private' } });
      const { record, kept } = await call(of, { n: 1 });
      expect(record).to.deep.include({ status: 'success', user_id: 'robot', output_data: { path: '/' } });
      expect(kept).to.deep.equal(record);
      const { headers, body } = stage.upstream.requests.at(-1)!;
      expect(body.input_data).to.deep.equal({ n: 1 });
      expect(headers).to.include({ 'x-call-id': record.id, 'x-request-id': 'of-the-test' });
    });

    it('is seen by no guard, no hook and no reader', async () => {
      const of = await stage.play();
      const { record } = await call(of);
      expect(seen).to.deep.equal([]);
      expect(await stage.get(CALL_LOG).find(record.id)).to.equal(undefined);
      expect(await stage.get(CALL_LOG).count({ algorithmId: of.algorithm_id })).to.equal(0);
      const totals = await stage.get(CALL_STATISTICS).totals({ algorithmId: of.algorithm_id });
      expect(totals.total_calls).to.equal(0);
    });

    it('says what a record would keep of it', async () => {
      const of = await stage.play();
      await stage.request('PUT', `/algorithms/${of.algorithm_id}/payload-policy`, {
        token: stage.admin,
        body: { output_data: { mode: 'drop' } },
      });
      const { record, kept } = await call(of);
      expect([record.output_data, kept.output_data]).to.deep.equal([{ path: '/' }, null]);
    });

    it('is refused for what any call is refused for', async () => {
      const of = await stage.play({ version: { input_schema: { type: 'object', required: ['n'] } } });
      const asked = stage.upstream.requests.length;
      const refusals = [
        await call(of).catch(({ status }: { status: number }) => status),
        await call({ ...of, version_id: of.algorithm_id }).catch(({ status }: { status: number }) => status),
      ];
      expect(refusals).to.deep.equal([422, 404]);
      expect(stage.upstream.requests).to.have.lengthOf(asked);
    });
  });
});

import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { builtInPlugins, onEveryEngine, type TestResponse } from '../../../../core/testing.ts';
import { PAYLOAD_REDUCER } from '../../../../plugins/invocation/payload/reducer.ts';
import { RETENTION } from '../../../../plugins/invocation/retention/retention.ts';
import { startStage, type Playable, type Stage } from '../support/stage.ts';

const GONE = '[redacted]';
const DIGEST = /^hmac-sha256:[0-9a-f]{64}$/;
const sent = { input_data: { name: 'Ada', age: 36 }, params: { name: 'Grace', age: 85 } };
const made = { name: 'Joan', age: 60 };
const whole = { ...sent, output_data: made };
const fields = ['input_data', 'params', 'output_data'] as const;

/** The behaviour of the endpoint, which tests may replace. */
type Answer = NonNullable<Parameters<typeof startStage>[1]>;

describe('A record under a payload policy', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let of: Playable;
    let answer: Answer;
    const doors = { direct: '/algorithms/call', gateway: '/gateway/call' } as const;
    const policy = async (body?: object): Promise<void> => {
      const path = `/algorithms/${of.algorithm_id}/payload-policy`;
      const { status } = await stage.request(body ? 'PUT' : 'DELETE', path, {
        token: stage.admin,
        ...(body ? { body } : {}),
      });
      expect(status).to.equal(200);
    };
    const call = (channel: keyof typeof doors = 'direct', body: object = sent): Promise<TestResponse> =>
      stage.request('POST', doors[channel], { token: stage.alice, body: { ...of, ...body } });
    /** The record by its id, as its caller sees it; the history and an administrator must see the same. */
    const recordOf = async (id: string): Promise<TestResponse['body']> => {
      const { body } = await stage.request('GET', `/algorithms/calls/${id}`, { token: stage.alice });
      const { history } = (
        await stage.request('GET', `/history/user-calls?algorithm_id=${of.algorithm_id}`, {
          token: stage.alice,
        })
      ).body;
      expect(history.find((entry: { id: string }) => entry.id === id)).to.deep.equal(body);
      const admins = await stage.request('GET', `/algorithms/calls/${id}`, { token: stage.admin });
      expect(admins.body).to.deep.equal(body);
      return body;
    };

    before(async () => {
      const plugins = await builtInPlugins(['api-keys', 'gateway']);
      stage = await startStage(engine, (request, response) => answer(request, response), {
        plugins,
        settings: { invocation: { keep_payloads_count: 1 } },
      });
    });
    after(() => stage.stop());
    beforeEach(async () => {
      of = await stage.play();
      answer = () => made;
    });

    for (const channel of ['direct', 'gateway'] as const) {
      describe(`of a call through the ${channel} door`, () => {
        it('has everything without a policy', async () => {
          const { body } = await call(channel);
          const record = await recordOf(body.id);
          expect(record).to.deep.equal(body).and.to.deep.include(whole);
          expect(record).not.to.have.property('payload');
        });

        for (const field of fields) {
          for (const [mode, left, state] of [
            ['store', whole[field], undefined],
            ['redact', { ...whole[field], name: GONE }, 'redacted'],
            ['hash', null, 'hashed'],
            ['drop', null, 'dropped'],
          ] as const) {
            it(`has what "${mode}" leaves of ${field}, while the answer is whole`, async () => {
              await policy({ [field]: { mode, pointers: mode === 'redact' ? ['/name'] : [] } });
              const { status, body } = await call(channel);
              expect(status).to.equal(200);
              expect(body).to.deep.include(whole).and.not.to.have.property('payload');
              const { payload, ...record } = await recordOf(body.id);
              expect(record).to.deep.equal({ ...body, [field]: left });
              expect(payload?.[field]).to.equal(state);
              if (mode === 'hash') expect(payload.digests[field]).to.match(DIGEST);
              else expect(payload ?? {}).not.to.have.property('digests');
            });
          }
        }
      });
    }

    it('does not change what the endpoint gets', async () => {
      await policy({ input_data: { mode: 'drop' }, params: { mode: 'redact', pointers: ['/name'] } });
      await call();
      expect(stage.upstream.requests.at(-1)!.body).to.deep.equal(sent);
    });

    it('tells equal payloads from others by their digests', async () => {
      await policy({ input_data: { mode: 'hash' } });
      const digestOf = async (input_data: object) => {
        const { body } = await call('direct', { input_data });
        return (await recordOf(body.id)).payload.digests.input_data as string;
      };
      const one = await digestOf({ a: 1, b: { c: [1], d: 2 } });
      expect(await digestOf({ b: { d: 2, c: [1] }, a: 1 })).to.equal(one);
      expect(await digestOf({ a: 1, b: { c: [2], d: 2 } })).not.to.equal(one);
    });

    it('has digests that depend on the key of the installation', async () => {
      await policy({ input_data: { mode: 'hash' } });
      const { body } = await call('direct', { input_data: { a: 1 } });
      const { digests } = (await recordOf(body.id)).payload;
      // SHA-256 of {"a":1}.
      const plain = '015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862';
      expect(digests.input_data).not.to.include(plain);
    });

    it('is redacted within arrays, at escaped names, and at "__proto__" of an output', async () => {
      await policy({
        input_data: { mode: 'redact', pointers: ['/people/*/name', '/a~1b', '/m~0n', '/none/at/all'] },
        output_data: { mode: 'redact', pointers: ['/__proto__/secret'] },
      });
      answer = (_, response) =>
        void response
          .setHeader('content-type', 'application/json')
          .end('{"__proto__":{"secret":"Ada","open":1},"secret":2}');
      const input_data = { people: [{ name: 'Ada', age: 36 }, { age: 1 }], 'a/b': 1, a: { b: 2 }, 'm~n': 3 };
      const { body } = await call('direct', { input_data });
      const record = await recordOf(body.id);
      expect(record.input_data).to.deep.equal({
        people: [{ name: GONE, age: 36 }, { age: 1 }],
        'a/b': GONE,
        a: { b: 2 },
        'm~n': GONE,
      });
      expect(JSON.stringify(record.output_data)).to.equal(
        `{"__proto__":{"secret":"${GONE}","open":1},"secret":2}`,
      );
    });

    it('redacts defaults of params as well', async () => {
      await policy({ params: { mode: 'drop' } });
      const { body } = await call('direct', { input_data: {} });
      expect(await recordOf(body.id)).to.deep.include({ params: null, payload: { params: 'dropped' } });
    });

    describe('of a call that failed', () => {
      it('does not have the message of the endpoint, which the caller gets', async () => {
        await policy({ input_data: { mode: 'redact', pointers: ['/name'] } });
        answer = (_, response) =>
          void response.writeHead(422, { 'content-type': 'text/plain' }).end('"Ada" is no number');
        const { body } = await call();
        expect(body.error_message).to.include('Ada');
        const record = await recordOf(body.id);
        expect(record).to.include({ status: 'failed', error_code: 'upstream_rejected', output_data: null });
        expect(record.error_message).to.match(/^The endpoint refused the call\. .* payload policy/);
        expect(record.payload).to.deep.equal({ input_data: 'redacted', error_message: 'redacted' });
      });

      it('has no note for an output that does not exist', async () => {
        await policy({ output_data: { mode: 'hash' } });
        answer = (_, response) => void response.writeHead(500).end();
        const record = await recordOf((await call()).body.id);
        expect(record.payload).to.deep.equal({ error_message: 'redacted' });
      });

      it('does not have names from an output that breaks its schema', async () => {
        const output_schema = { type: 'object', properties: {}, additionalProperties: false };
        of = await stage.play({ version: { output_schema } });
        await policy({ output_data: { mode: 'drop' } });
        answer = () => ({ 'Ada Lovelace': 1 });
        const { body } = await call();
        expect(body).to.include({ error_code: 'output_invalid' });
        expect(body.error_message).to.include('Ada Lovelace');
        expect(JSON.stringify(await recordOf(body.id))).not.to.include('Lovelace');
      });
    });

    it('changes at once with the policy', async () => {
      const kept = async () => (await recordOf((await call()).body.id)).input_data;
      for (let n = 0; n < 3; n += 1) {
        expect(await kept()).to.deep.equal(sent.input_data);
        await policy({ input_data: { mode: 'redact', pointers: ['/name'] } });
        expect(await kept()).to.deep.equal({ name: GONE, age: 36 });
        await policy({ input_data: { mode: 'drop' } });
        expect(await kept()).to.equal(null);
        await policy();
      }
    });

    it('follows the policy of the time when its call began', async () => {
      await policy({ input_data: { mode: 'drop' } });
      answer = async () => {
        await policy();
        return made;
      };
      expect(await recordOf((await call()).body.id)).to.deep.include({ input_data: null });
    });

    it('follows the policy of its own algorithm only', async () => {
      await policy({ input_data: { mode: 'drop' } });
      of = await stage.play();
      expect(await recordOf((await call()).body.id)).to.deep.include(whole);
    });

    it('is known without a promise once it was read, also when there is none, until it changes', async () => {
      const known = () => stage.get(PAYLOAD_REDUCER).policyOf(of.algorithm_id);
      // Twice a second the database is looked at for changes, and on SQLite one of our own drops what is cached once more.
      const untilLookedAt = () => pause(1_100);
      await untilLookedAt();
      await call();
      expect(known()).to.equal(null);
      await policy({ params: { mode: 'drop' } });
      expect(known()).to.be.an.instanceOf(Promise);
      await untilLookedAt();
      await call();
      expect(known()).to.have.nested.property('params.mode', 'drop');
      await policy({ params: { mode: 'store' } });
      await untilLookedAt();
      await call();
      expect(known()).to.equal(null);
    });

    it('loses its payload by retention, and notes it for each field', async () => {
      const expired = async (body: object | undefined, fail = false) => {
        of = await stage.play();
        if (body) await policy(body);
        answer = fail ? (_, response) => void response.writeHead(500).end() : () => made;
        const { id } = (await call()).body;
        await call();
        await stage.get(RETENTION).run();
        const { payload, input_data, params, output_data } = await recordOf(id);
        expect([input_data, params, output_data]).to.deep.equal([null, null, null]);
        return payload;
      };
      const all = { input_data: 'expired', params: 'expired', output_data: 'expired' };
      expect(await expired(undefined)).to.deep.equal(all);
      expect(await expired({ params: { mode: 'drop' } })).to.deep.equal({ ...all, params: 'dropped' });
      const redact = { mode: 'redact', pointers: ['/name'] };
      expect(await expired({ input_data: redact, output_data: { mode: 'hash' } })).to.deep.equal(all);
      const drop = { mode: 'drop' };
      expect(await expired({ input_data: drop, params: drop, output_data: drop })).to.deep.equal({
        input_data: 'dropped',
        params: 'dropped',
        output_data: 'dropped',
      });
      expect(await expired({ input_data: drop }, true)).to.deep.equal({
        ...all,
        input_data: 'dropped',
        error_message: 'redacted',
      });
    });
  });
});

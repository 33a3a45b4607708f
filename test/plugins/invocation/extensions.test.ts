import { expect } from 'chai';
import { contribute, definePlugin, problem } from '../../../core/index.ts';
import { onEveryEngine } from '../../../core/testing.ts';
import {
  CALL_GUARDS,
  CALL_LOG,
  RECORD_HOOKS,
  TRANSPORTS,
  type CallGuard,
  type CallOutcome,
  type ChosenVersion,
  type FinishedCall,
  type ReceivedCall,
  type Transport,
  type Undo,
} from '../../../plugins/invocation/contract.ts';
import { startStage, type Stage } from './support/stage.ts';

const TooHot = problem({ code: 'too_hot', status: 429, title: 'Too hot', description: 'Wait.' });

/** What the guards and the transport of a test do; each test puts its own in place. */
interface Behaviour {
  receive: (call: ReceivedCall) => void;
  chooseVersion: () => ChosenVersion | undefined;
  admit: (name: string) => Undo | void;
  around: (name: string, send: () => Promise<CallOutcome>) => Promise<CallOutcome>;
  send: Transport['send'];
}

function extensionsOf(behaviour: Behaviour, finished: FinishedCall[]) {
  const guard = (name: string): CallGuard => ({
    name,
    receive: (call) => behaviour.receive(call),
    chooseVersion: () => behaviour.chooseVersion(),
    admit: () => behaviour.admit(name),
    around: (_, send) => behaviour.around(name, send),
  });
  const bird: Transport = {
    schemes: ['bird'],
    check: () => undefined,
    send: (call, limits) => behaviour.send(call, limits),
  };
  return definePlugin({
    id: 'extensions',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Extends calls',
    requires: ['invocation'],
    contributes: [
      contribute(CALL_GUARDS, { deps: {}, create: () => guard('inner'), order: 2 }),
      contribute(CALL_GUARDS, { deps: {}, create: () => guard('outer'), order: 1 }),
      contribute(TRANSPORTS, { deps: {}, create: () => bird }),
      contribute(RECORD_HOOKS, {
        deps: {},
        create: () => ({
          name: 'watcher',
          rowsFor: (calls) => {
            finished.push(...calls);
            return [];
          },
        }),
      }),
    ],
    problems: [TooHot],
  });
}

const TIMEOUT_MS = 2000;
const sings: CallOutcome = { ok: true, output: { song: 'tweet' }, seconds: 0.5 };

const idle = (): Behaviour => ({
  receive: () => undefined,
  chooseVersion: () => undefined,
  admit: () => undefined,
  around: (_, send) => send(),
  send: async () => sings,
});

describe('An extension of calls', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let behaviour: Behaviour;
    const finished: FinishedCall[] = [];
    const logged: string[] = [];
    const bird = { version: { url: 'bird:nightingale' } };
    before(async () => {
      behaviour = idle();
      const stable: Behaviour = {
        receive: (call) => behaviour.receive(call),
        chooseVersion: () => behaviour.chooseVersion(),
        admit: (name) => behaviour.admit(name),
        around: (name, send) => behaviour.around(name, send),
        send: (call, limits) => behaviour.send(call, limits),
      };
      stage = await startStage(engine, undefined, {
        plugins: [extensionsOf(stable, finished)],
        settings: { invocation: { timeout_ms: TIMEOUT_MS } },
        log: { write: (line) => void logged.push(line) },
      });
    });
    beforeEach(() => {
      behaviour = idle();
      finished.length = 0;
      logged.length = 0;
    });
    after(() => stage.stop());

    const records = () => stage.get(CALL_LOG).count({});

    it('reaches addresses of its own scheme', async () => {
      const { body } = await stage.call(await stage.play(bird));
      expect(body).to.include({ status: 'success', response_time: 0.5 });
      expect(body.output_data).to.deep.equal({ song: 'tweet' });
    });

    it('may refuse a call, which is not recorded then', async () => {
      const of = await stage.play(bird);
      const before = await records();
      behaviour.admit = () => {
        throw TooHot('Not now.', { headers: { 'Retry-After': '7' } });
      };
      const { status, body, headers } = await stage.call(of);
      expect([status, body.code, headers['retry-after']]).to.deep.equal([429, 'too_hot', '7']);
      expect(await records()).to.equal(before);
    });

    it('takes back what it spent on a call that is refused before it is sent', async () => {
      const undone: string[] = [];
      behaviour.admit = (name) => () => void undone.push(name);
      behaviour.around = async () => {
        throw TooHot('Full.');
      };
      await stage.call(await stage.play(bird));
      expect(undone).to.deep.equal(['inner', 'outer']);
    });

    it('takes back nothing of a call that is recorded', async () => {
      const undone: string[] = [];
      behaviour.admit = (name) => () => void undone.push(name);
      behaviour.send = async () => ({ ok: false, code: 'upstream_error', message: 'No.', seconds: 0 });
      expect((await stage.call(await stage.play(bird))).body.status).to.equal('failed');
      expect(undone).to.deep.equal([]);
    });

    it('may refuse a call before it is checked', async () => {
      behaviour.receive = () => {
        throw TooHot('Not now.');
      };
      const { body } = await stage.call({ algorithm_id: 'none', version_id: 'none' });
      expect(body.code).to.equal('too_hot');
    });

    it('may choose the version of a call', async () => {
      const { algorithm_id, version_id } = await stage.play(bird);
      behaviour.chooseVersion = () => ({ versionId: version_id, headers: { 'X-Chosen': 'yes' } });
      const { body, headers } = await stage.call({ algorithm_id, version_id: 'the best' });
      expect(body).to.include({ status: 'success', version_id });
      expect(headers['x-chosen']).to.equal('yes');
    });

    it('reveals nothing of its choice to a caller who may not call the version', async () => {
      const { algorithm_id, version_id } = await stage.play({ ...bird, algorithm: { access: 'restricted' } });
      behaviour.chooseVersion = () => ({ versionId: version_id, headers: { 'X-Chosen': 'yes' } });
      const { status, headers } = await stage.call({ algorithm_id, version_id: 'the best' });
      expect([status, headers['x-chosen']]).to.deep.equal([403, undefined]);
    });

    it('may add headers to the answer and to a refusal', async () => {
      behaviour.receive = ({ answerHeaders }) => void (answerHeaders['X-Guard'] = 'here');
      const answered = await stage.call(await stage.play(bird));
      const refused = await stage.call({ algorithm_id: 'none', version_id: 'none' });
      expect([answered.headers['x-guard'], refused.headers['x-guard']]).to.deep.equal(['here', 'here']);
      expect(refused.status).to.equal(404);
    });

    it('wraps the sending, in order', async () => {
      const said: string[] = [];
      behaviour.admit = (name) => void said.push(`admit ${name}`);
      behaviour.around = async (name, send) => {
        said.push(`into ${name}`);
        const outcome = await send();
        said.push(`out of ${name}`);
        return outcome;
      };
      await stage.call(await stage.play(bird));
      expect(said).to.deep.equal([
        'admit outer',
        'admit inner',
        'into outer',
        'into inner',
        'out of inner',
        'out of outer',
      ]);
    });

    it('may answer in place of the endpoint', async () => {
      let wasAsked = false;
      behaviour.send = async () => ((wasAsked = true), sings);
      behaviour.around = async () => ({ ok: false, code: 'circuit_open', message: 'Resting.', seconds: 0 });
      const { body } = await stage.call(await stage.play(bird));
      expect(body).to.include({ status: 'failed', error_code: 'circuit_open', error_message: 'Resting.' });
      expect(wasAsked).to.equal(false);
    });

    it('may refuse before it calls the endpoint', async () => {
      behaviour.around = async () => {
        throw TooHot('Full.');
      };
      expect((await stage.call(await stage.play(bird))).status).to.equal(429);
    });

    it('cannot lose the record once the endpoint was called', async () => {
      behaviour.around = async (_, send) => {
        await send();
        throw new Error('a bug');
      };
      const { status, body } = await stage.call(await stage.play(bird));
      expect([status, body.status]).to.deep.equal([200, 'success']);
    });

    it('cannot lose it by failing before it has returned a promise', async () => {
      behaviour.around = (_, send) => {
        void send();
        throw new Error('a bug');
      };
      const { status, body } = await stage.call(await stage.play(bird));
      expect([status, body.status]).to.deep.equal([200, 'success']);
    });

    it('may refuse in the same way before it calls the endpoint', async () => {
      behaviour.around = () => {
        throw TooHot('Full.');
      };
      expect((await stage.call(await stage.play(bird))).status).to.equal(429);
    });

    it('that never answers as a transport makes a failed call a second after its deadline', async () => {
      behaviour.send = () => new Promise(() => undefined);
      const { status, body } = await stage.call(await stage.play(bird));
      expect([status, body.error_code]).to.deep.equal([200, 'upstream_timeout']);
      expect(body.response_time).to.equal(TIMEOUT_MS / 1000 + 1);
      expect(logged.filter((line) => line.includes('"scheme":"bird"'))).to.have.length(1);
    });

    it('that fails as a transport makes a failed call', async () => {
      behaviour.send = async () => {
        throw new Error('a bug with a secret');
      };
      const { status, body } = await stage.call(await stage.play(bird));
      expect([status, body.error_code]).to.deep.equal([200, 'upstream_error']);
      expect(body.error_message).not.to.contain('secret');
    });

    for (const [what, outcome, sentence] of [
      ['nothing', undefined, 'whose \\"ok\\" is no boolean'],
      ['no time', { ok: true, output: {} }, 'whose \\"seconds\\" is no number'],
      ['an impossible time', { ok: true, output: {}, seconds: NaN }, 'whose \\"seconds\\" is NaN'],
      ['a list as output', { ok: true, output: [], seconds: 0 }, 'whose \\"output\\" is no object'],
      [
        'a code of its own',
        { ok: false, code: 'hoarse', message: 'No.', seconds: 0 },
        'whose \\"code\\" is none of',
      ],
      ['no message', { ok: false, code: 'upstream_error', seconds: 0 }, 'whose \\"message\\" is no text'],
    ] as const) {
      it(`that makes ${what} of an answer makes a failed call, and the log says what is wrong`, async () => {
        behaviour.send = async () => outcome as never;
        const { status, body } = await stage.call(await stage.play(bird));
        expect([status, body.error_code]).to.deep.equal([200, 'upstream_error']);
        expect(logged.join('')).to.contain(`The transport for \\"bird:\\" made an outcome ${sentence}`);
      });
    }

    it('that makes no outcome as a guard leaves that of the endpoint', async () => {
      behaviour.around = async (_, send) => {
        await send();
        return undefined as never;
      };
      const { body } = await stage.call(await stage.play(bird));
      expect(body).to.include({ status: 'success', response_time: 0.5 });
      expect(logged.join('')).to.contain('A guard made an outcome whose');
    });

    it('that answers what is not JSON makes a failed call', async () => {
      const endless: Record<string, unknown> = {};
      endless['self'] = endless;
      behaviour.send = async () => ({ ok: true, output: endless, seconds: 0 });
      const { body } = await stage.call(await stage.play(bird));
      expect(body).to.include({ status: 'failed', error_code: 'upstream_bad_response' });
    });

    it('gets input and params as values and as JSON', async () => {
      let heard: unknown;
      behaviour.send = async ({ request, params, json }) => {
        heard = { input: request.input_data, params, json };
        return sings;
      };
      await stage.call(await stage.play(bird), { input_data: { a: 1 }, params: { b: 2 } });
      expect(heard).to.deep.equal({
        input: { a: 1 },
        params: { b: 2 },
        json: { input: '{"a":1}', params: '{"b":2}' },
      });
    });

    it('sees each call whose record is written', async () => {
      const { body } = await stage.call(await stage.play(bird));
      expect(finished).to.deep.equal([
        {
          id: body.id,
          channel: 'direct',
          status: 'success',
          error_code: null,
          user_id: body.user_id,
          algorithm_id: body.algorithm_id,
          version_id: body.version_id,
          response_time: 0.5,
          created_at: Date.parse(body.created_at),
        },
      ]);
    });

    it('that is missing makes its addresses unusable when they are saved', async () => {
      const refused = await stage
        .play({ version: { url: 'fish:cod' } })
        .catch((error: Error) => error.message);
      expect(refused).to.contain('"status":422');
    });
  });
});

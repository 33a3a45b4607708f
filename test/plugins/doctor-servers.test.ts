import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { existingVault } from '../../cli/doctor/existing-vault.ts';
import { traceReceiverFindings } from '../../cli/doctor/trace-receiver.ts';
import { createBackendClient } from '../../core/egress/create-backend-client.ts';
import { BACKENDS, DATABASE, VAULT } from '../../core/index.ts';
import { onEveryEngine } from '../../core/testing.ts';
import { redisCheck } from '../../plugins/gateway/doctor.ts';
import { modelCheck } from '../../plugins/llm/doctor.ts';
import { codeHostCheck } from '../../plugins/repohost/doctor.ts';
import { mailServer } from '../../plugins/users/doctor.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts';
import { startMailbox } from '../support/mailbox.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import { startRedisStandIn } from '../support/redis-stand-in.ts';
import { startVitrine, type Vitrine } from '../support/vitrine.ts';
import { Stage, TOKEN } from './repohost/support.ts';

/** Nothing listens there. */
const AWAY = '127.0.0.1:1';

interface Finding {
  readonly state: string;
  readonly message: string;
  readonly mend?: string;
}

async function found(check: { check: (deps: never) => unknown }, deps: object): Promise<Finding> {
  const [finding, ...others] = (await check.check(deps as never)) as Finding[];
  expect(others).to.deep.equal([]);
  if (finding!.state !== 'ok') expect(finding!.mend).to.be.a('string');
  return finding!;
}

describe('what the doctor says of servers', () => {
  describe('Redis', () => {
    const check = (redis_url: string) => found(redisCheck, { settings: { redis_url } });

    it('that is not set', async () => {
      expect(await check('')).to.deep.equal({
        state: 'ok',
        message: 'REDIS_URL is not set; the limits are counted without Redis.',
      });
    });

    it('that answers, accepts the password and refuses another one, without showing it', async () => {
      const redis = await startRedisStandIn('sesame');
      try {
        const at = `127.0.0.1:${redis.port}`;
        expect(await check(`redis://:sesame@${at}`)).to.deep.equal({
          state: 'ok',
          message: `Redis at ${at} (REDIS_URL) answers.`,
        });
        for (const account of [':hunter2@', '']) {
          const refused = await check(`redis://${account}${at}`);
          expect(refused.state).to.equal('fault');
          expect(refused.message).to.match(/^Redis at .* refuses the credentials: (WRONGPASS|NOAUTH)/);
          expect(JSON.stringify(refused)).not.to.include('hunter2');
        }
      } finally {
        await redis.stop();
      }
    });

    it('that is away', async () => {
      const away = await check(`redis://${AWAY}`);
      expect(away).to.include({ state: 'warning', mend: 'redis-cli -u "$REDIS_URL" ping' });
      expect(away.message)
        .to.include(`Redis at ${AWAY} (REDIS_URL) cannot be used`)
        .and.include('ECONNREFUSED');
    });

    it('that accepts connections and does not answer', async () => {
      const silent = createServer((socket) => void socket.on('error', () => undefined));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      const finding = await check(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
      silent.close();
      expect(finding.message).to.include('It did not answer within');
    }).timeout(20_000);
  });

  describe('the language model', () => {
    let openAi: FakeOpenAi;
    let vitrine: Vitrine;
    before(async () => {
      openAi = await startFakeOpenAi();
      vitrine = await startVitrine('sqlite', { plugins: ['users', 'llm'] });
    });
    after(async () => {
      await vitrine.stop();
      await openAi.stop();
    });

    const check = (changes: object = {}) => {
      const { baseUrl: base_url, apiKey: api_key } = openAi;
      const models = { model: 'text-model', vision_model: '', image_model: 'image-model' };
      const settings = { backend: 'auto', base_url, api_key, ...models, ...changes };
      return found(modelCheck, { backends: vitrine.get(BACKENDS), settings });
    };

    it('that is not set, or comes from a plugin', async () => {
      expect((await check({ base_url: '' })).message).to.include('The stand-in of the service answers');
      expect((await check({ backend: 'own' })).message).to.include(
        '"own" (LLM_BACKEND) has to come from another plugin',
      );
      expect(openAi.requests).to.deep.equal([]);
    });

    it('that answers, is asked for nothing but its models', async () => {
      expect(await check()).to.deep.equal({
        state: 'ok',
        message: `The language model at ${openAi.baseUrl} (LLM_BASE_URL) answers.`,
      });
      expect(openAi.requests.map(({ path }) => path)).to.deep.equal(['/v1/models']);
    });

    it('that refuses the token, or wants one, without showing it', async () => {
      const refused = await check({ api_key: 'sk-hunter2' });
      expect(refused).to.include({ state: 'fault' });
      expect(refused.message).to.include('refuses LLM_API_KEY (status 401)');
      expect(JSON.stringify(refused)).not.to.include('hunter2');
      expect((await check({ api_key: '' })).message).to.include('LLM_API_KEY is not set');
    });

    it('that does not list a model of the settings', async () => {
      const unlisted = await check({ model: 'text-modle', vision_model: 'models/vision-model' });
      expect(unlisted).to.include({ state: 'warning' });
      expect(unlisted.message).to.match(/does not list "text-modle" \(LLM_MODEL\)\.$/);
    });

    it('at an address that is wrong or away', async () => {
      const wrong = await check({ base_url: openAi.baseUrl.replace('/v1', '') });
      expect(wrong).to.include({ state: 'warning' });
      expect(wrong.message).to.include('answers 404').and.include('such as /v1');
      const away = await check({ base_url: `http://${AWAY}/v1` });
      expect(away).to.include({ state: 'warning' });
      expect(away.message).to.include('cannot be asked');
    });
  });

  describe('the code host', () => {
    onEveryEngine((engine) => {
      const stage = new Stage();
      before(() => stage.open(engine));
      after(() => stage.close());
      beforeEach(() => stage.reset());

      const check = (more: object = {}) => {
        const [database, vault, backends] = [DATABASE, VAULT, BACKENDS].map((token) =>
          stage.vitrine.get<unknown>(token),
        );
        return found(codeHostCheck, { database, vault, backends, ...more });
      };

      it('that is not configured', async () => {
        await stage.ask('DELETE', '/config');
        expect((await check()).message).to.equal('No code-hosting server is configured.');
      });

      it('that answers and knows the token, which changes nothing there', async () => {
        stage.gitea.requests.length = 0;
        const { state, message } = await check();
        expect(state).to.equal('ok');
        expect(message).to.include(`${stage.gitea.url} answers`).and.include('as robot');
        expect(new Set(stage.gitea.requests.map(({ method }) => method))).to.deep.equal(new Set(['GET']));
      });

      it('that refuses the token', async () => {
        await stage.configure({ access_token: 'another-token' });
        const refused = await check();
        expect(refused).to.include({ state: 'fault' });
        expect(refused.message).to.include('does not accept the configured access token');
        expect(JSON.stringify(refused)).not.to.include('another-token').and.not.to.include(TOKEN);
      });

      it('whose token cannot be read, for want of the key, and makes no key', async () => {
        const elsewhere = `${stage.vitrine.scratch.dataDir}/elsewhere`;
        const vault = existingVault({ key: '', fallback_key: '' }, elsewhere);
        const unread = await check({ vault });
        expect(unread).to.include({ state: 'fault' });
        expect(unread.message).to.include('cannot be read');
        expect(() => vault.seal('a', 'b', 'c')).to.throw('no SECRET_KEY');
        const kept = existingVault({ key: '', fallback_key: '' }, stage.vitrine.scratch.dataDir);
        expect(await check({ vault: kept })).to.include({ state: 'ok' });
      });

      it('that is away', async () => {
        await stage.configure({ server_url: `http://${AWAY}` });
        const away = await check();
        expect(away).to.include({ state: 'warning' });
        expect(away.message).to.include(`http://${AWAY}: The code-hosting server cannot be asked.`);
        expect(away.mend).to.include(`curl -v http://${AWAY}/api/v1/version`);
      });
    });
  });

  describe('the mail server', () => {
    const check = (smtp_url: string) =>
      found(mailServer, { settings: { smtp_url, mail_from: 'v@example.org' } });

    it('that is not set', async () => {
      expect((await check('')).message).to.equal('SMTP_URL is not set, so no mail is sent.');
    });

    it('that accepts the account and gets no mail, and refuses another password without showing it', async () => {
      const mailbox = await startMailbox();
      try {
        expect(await check(mailbox.url)).to.include({ state: 'ok' });
        const refused = await check(mailbox.url.replace('mail%20secret', 'hunter2'));
        expect(refused).to.include({ state: 'fault' });
        expect(refused.message).to.include('refuses the account').and.include('wrong password');
        expect(JSON.stringify(refused)).not.to.include('hunter2');
        expect(mailbox.mails).to.deep.equal([]);
      } finally {
        await mailbox.stop();
      }
    });

    it('that is away', async () => {
      const away = await check(`smtp://me:hunter2@${AWAY}`);
      expect(away).to.include({ state: 'warning', mend: 'Start it, or correct SMTP_URL: nc -v 127.0.0.1 1' });
      expect(away.message).to.include(`${AWAY} (SMTP_URL) takes no mail`).and.not.to.include('hunter2');
    });
  });

  describe('the receiver of traces', () => {
    const backends = createBackendClient();
    after(() => backends.close());
    const check = async (url: string | undefined) => (await traceReceiverFindings(url, backends))[0]!;

    it('that is not set, accepts connections, or is away', async () => {
      expect(await check(undefined)).to.include({ state: 'ok' });
      const receiver = await startOtlpReceiver();
      expect((await check(`${receiver.url}/v1/traces`)).message).to.include('accepts connections');
      await receiver.stop();
      expect(receiver.requests).to.deep.equal([]);
      const away = await check(`http://me:hunter2@${AWAY}/v1/traces`);
      expect(away).to.include({ state: 'warning' });
      expect(away.message).to.include('so traces are dropped').and.not.to.include('hunter2');
    });
  });
});

import { expect } from 'chai';
import { MODEL_ADMISSION, ModelAdmission, type ModelAdmissionDeps } from '../../../plugins/llm/admission.ts';
import { UserQuota } from '../../../plugins/llm/user-quota.ts';
import { made } from '../../support/other-services.ts';
import { until } from '../../support/until.ts';
import { startAsking, type Asking } from './setup.ts';

describe('the quota of a user', () => {
  const clock = { at: 0, now: () => 0, elapsed: () => clock.at };

  beforeEach(() => {
    clock.at = 0;
  });

  it('allows a number of requests per minute', () => {
    const quota = new UserQuota(clock, 2);
    quota.take('ada');
    expect(() => quota.take('ada')).to.not.throw();
  });

  it('refuses one more, and says when to come again', () => {
    const quota = new UserQuota(clock, 1);
    quota.take('ada');
    clock.at = 45_500;
    expect(() => quota.take('ada')).to.throw('Try again in 15 s');
  });

  it('begins anew after the minute', () => {
    const quota = new UserQuota(clock, 1);
    quota.take('ada');
    clock.at = 60_000;
    expect(() => quota.take('ada')).to.not.throw();
  });

  it('begins anew for everybody after their own minute', () => {
    const quota = new UserQuota(clock, 1);
    quota.take('ada');
    clock.at = 30_000;
    quota.take('bob');
    clock.at = 60_000;
    quota.take('ada');
    clock.at = 90_000;
    expect(() => quota.take('bob')).to.not.throw();
  });

  it('is each user’s own', () => {
    const quota = new UserQuota(clock, 1);
    quota.take('ada');
    expect(() => quota.take('bob')).to.not.throw();
  });
});

describe('the limits of asking', () => {
  /** Limits the number of requests that are worked on at once. */
  const atOnce = (most: number) =>
    made(MODEL_ADMISSION, (deps: ModelAdmissionDeps) => new ModelAdmission({ ...deps, atOnce: most }));

  it('answer 429 with Retry-After when a user has asked enough', async () => {
    const asking = await startAsking('sqlite', { requests_per_minute: 2 });
    await asking.generate({ prompt: 'x' });
    await asking.describe('http://127.0.0.1:1/x.png');
    const { status, body, headers } = await asking.generate({ prompt: 'x' });
    await asking.stop();
    expect([status, body.code, Number(headers['retry-after']) <= 60]).to.deep.equal([
      429,
      'generation_quota_exceeded',
      true,
    ]);
  });

  it('answer 503 with Retry-After when too many ask at once', async () => {
    const asking = await startAsking('sqlite', {}, { services: [atOnce(1)] });
    asking.fake.dialect = { slow: 300 };
    const answers = await Promise.all([asking.generate({ prompt: 'a' }), asking.generate({ prompt: 'b' })]);
    await asking.stop();
    const refused = answers.find(({ status }) => status === 503);
    expect([refused?.body.code, refused?.headers['retry-after']]).to.deep.equal(['language_model_busy', '5']);
  });

  it('say so when the service stops and waits no longer', async () => {
    const asking = await startAsking('sqlite');
    asking.fake.dialect = { slow: 10_000 };
    const answer = asking.generate({ prompt: 'a' });
    await until(() => asking.fake.requests.length > 0);
    await asking.stop();
    const { status, body } = await answer;
    expect([status, body.code]).to.deep.equal([503, 'not_ready']);
  });

  describe('to requests at once', () => {
    let asking: Asking;
    let answering: () => void;

    beforeEach(async () => {
      asking = await startAsking('sqlite', { requests_per_minute: 3 }, { services: [atOnce(3)] });
      asking.fake.dialect = { until: new Promise((resolve) => (answering = resolve)) };
    });

    afterEach(() => asking.stop());

    it('leave places to others when one user asks for all of them', async () => {
      const bob = await asking.vitrine.user('bob');
      const own = Array.from({ length: 3 }, () => asking.generate({ prompt: 'a' }));
      const refused = await Promise.race(own);
      const other = asking.vitrine.request('POST', '/llm/generate-data', {
        body: { prompt: 'b' },
        token: bob.token,
      });
      answering();
      const statuses = (await Promise.all([...own, other])).map(({ status }) => status);
      expect([
        refused.body.code,
        statuses.slice(0, 3).toSorted((one, other) => one - other),
        statuses[3],
      ]).to.deep.equal(['language_model_busy', [200, 200, 503], 200]);
    });

    it('take nothing of the quota of whom they refuse', async () => {
      const own = Array.from({ length: 3 }, () => asking.generate({ prompt: 'a' }));
      await Promise.race(own);
      answering();
      await Promise.all(own);
      const statuses = [await asking.generate({ prompt: 'a' }), await asking.generate({ prompt: 'a' })];
      expect(statuses.map(({ status }) => status)).to.deep.equal([200, 429]);
    });
  });

  it('let others in again afterwards', async () => {
    const asking = await startAsking('sqlite', {}, { services: [atOnce(1)] });
    asking.fake.dialect = { instead: { status: 500, body: '' } };
    await asking.generate({ prompt: 'a' });
    asking.reset();
    const { status } = await asking.generate({ prompt: 'b' });
    await asking.stop();
    expect(status).to.equal(200);
  });

  it('count requests and failures', async () => {
    const asking = await startAsking('sqlite');
    await asking.generate({ prompt: 'a' });
    asking.fake.dialect = { instead: { status: 500, body: '' } };
    await asking.generate({ prompt: 'b' });
    const { body } = await asking.vitrine.request('GET', `${asking.vitrine.rootUrl}/metrics`);
    await asking.stop();
    const counted = String(body).match(/vitrine_llm_requests_total\{.*\} 1/g);
    expect(counted).to.have.length(2);
  });
});

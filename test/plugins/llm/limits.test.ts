import { expect } from 'chai';
import { MODEL_ADMISSION, ModelAdmission, type ModelAdmissionDeps } from '../../../plugins/llm/admission.ts';
import { made } from '../../support/other-services.ts';
import { until } from '../../support/until.ts';
import { startAsking, type Asking } from './setup.ts';

describe('the limits of asking', () => {
  /** Limits the number of requests that are worked on at once. */
  const atOnce = (most: number) =>
    made(MODEL_ADMISSION, (deps: ModelAdmissionDeps) => new ModelAdmission({ ...deps, atOnce: most }));

  it('answer 429 with Retry-After to a user who has asked enough, and not to others', async () => {
    const asking = await startAsking('sqlite', { requests_per_minute: 2 });
    await asking.generate({ prompt: 'x' });
    await asking.describe('http://127.0.0.1:1/x.png');
    const { status, body, headers } = await asking.generate({ prompt: 'x' });
    const { token } = await asking.vitrine.user('bob');
    const other = await asking.vitrine.request('POST', '/llm/generate-data', {
      body: { prompt: 'x' },
      token,
    });
    await asking.stop();
    expect([status, body.code]).to.deep.equal([429, 'generation_quota_exceeded']);
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(body.detail).to.match(
      /^You may ask the language model 2 times per minute\. Try again in \d+ s\.$/,
    );
    expect(other.status).to.equal(200);
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

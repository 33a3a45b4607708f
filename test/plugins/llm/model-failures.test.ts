import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Dialect } from '../../support/fake-openai.ts';
import { certificate, privateKey } from '../../core/egress/self-signed.ts';
import { startAsking, type Asking } from './setup.ts';

const BASE64_KEY = (key: string) => Buffer.from(key).toString('base64');

interface Failure {
  readonly dialect: (key: string) => Dialect;
  readonly status: number;
  readonly code: string;
}

const instead =
  (status: number, body: string | object = '', headers: Record<string, string> = {}): Failure['dialect'] =>
  () => ({ instead: { status, body: body as string, headers } });

const failures: Readonly<Record<string, Failure>> = {
  'refuses the token': {
    dialect: instead(401, { error: { message: 'no' } }),
    status: 502,
    code: 'language_model_failed',
  },
  'forbids the token to ask': { dialect: instead(403), status: 502, code: 'language_model_failed' },
  'rejects the request': {
    dialect: instead(400, { error: { message: 'bad' } }),
    status: 502,
    code: 'language_model_failed',
  },
  'does not know the model': {
    dialect: instead(404, { error: { message: 'none' } }),
    status: 502,
    code: 'language_model_failed',
  },
  'breaks down': {
    dialect: instead(500, 'Traceback (most recent call last)'),
    status: 502,
    code: 'language_model_failed',
  },
  'is a gateway to one that broke down': {
    dialect: instead(502, '<html>Bad Gateway</html>'),
    status: 502,
    code: 'language_model_failed',
  },
  'has enough of us': { dialect: instead(429), status: 503, code: 'language_model_busy' },
  'is loading its model': {
    dialect: instead(503, { error: 'loading' }),
    status: 503,
    code: 'language_model_busy',
  },
  'waited too long itself': { dialect: instead(504), status: 504, code: 'language_model_timeout' },
  'does not answer in time': {
    dialect: () => ({ slow: 3_000 }),
    status: 504,
    code: 'language_model_timeout',
  },
  redirects: {
    dialect: instead(302, '', { location: 'http://169.254.169.254/' }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with a page': {
    dialect: instead(200, '<!doctype html>', { 'content-type': 'text/html' }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with half of JSON': {
    dialect: instead(200, '{"choices": ['),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with a list': { dialect: instead(200, '[]'), status: 502, code: 'language_model_failed' },
  'answers with null': { dialect: instead(200, 'null'), status: 502, code: 'language_model_failed' },
  'answers without choices': {
    dialect: instead(200, { choices: [] }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with choices that are none': {
    dialect: instead(200, { choices: [null] }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with a number for text': {
    dialect: instead(200, { choices: [{ message: { content: 7 } }] }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with white space': {
    dialect: instead(200, { choices: [{ message: { content: ' \n' } }] }),
    status: 502,
    code: 'language_model_failed',
  },
  'answers with more than is read': {
    dialect: instead(200, 'x'.repeat(3_000_000)),
    status: 502,
    code: 'language_model_failed',
  },
};

const wordsInForms: Readonly<Record<string, object>> = {
  'an object': { error: { message: 'prompt is rude', type: 'invalid_request_error' } },
  'a text': { error: 'prompt is rude' },
  'a list of errors': { error: [{ message: 'prompt is rude' }] },
  'a list around it': [{ error: { code: 400, message: 'prompt is rude' } }],
  'a `detail`': { detail: 'prompt is rude' },
  'a list of findings': { detail: [{ loc: ['body', 'messages'], msg: 'prompt is rude' }] },
  'a `message`': { object: 'error', message: 'prompt is rude', code: 400 },
  'an error beside no choices': { choices: [], error: { message: 'prompt is rude' } },
};

const busyInForms: Readonly<Record<string, object>> = {
  'the status 429': { error: { message: 'later', code: 429 } },
  'the status 429 as text': { error: [{ message: 'later', code: '429' }] },
  'the status 503': { detail: [{ msg: 'loading', code: 503 }] },
  'the word of another dialect': [{ error: { message: 'later', status: 'RESOURCE_EXHAUSTED' } }],
  'a sentence about limits': { error: 'Rate limit reached for requests.' },
};

describe('a language model that fails', () => {
  let asking: Asking;

  before(async () => {
    asking = await startAsking('sqlite', { timeout_ms: 1_500 });
  });

  beforeEach(() => asking.reset());
  after(() => asking.stop());

  for (const [what, { dialect, status, code }] of Object.entries(failures)) {
    it(`because it ${what} is answered with ${status} ${code}`, async () => {
      asking.fake.dialect = dialect(asking.fake.apiKey);
      const answer = await asking.generate({ prompt: 'x' });
      expect([answer.status, answer.body.code]).to.deep.equal([status, code]);
    });
  }

  it('tells callers when to come again, as it was told', async () => {
    asking.fake.dialect = instead(429, '', { 'retry-after': '17' })('');
    expect((await asking.generate({ prompt: 'x' })).headers['retry-after']).to.equal('17');
  });

  for (const wait of ['soon', '-5', '999999999', 'Wed, 21 Oct 2026 07:28:00 GMT']) {
    it(`makes something sensible of Retry-After: ${wait}`, async () => {
      asking.fake.dialect = instead(429, '', { 'retry-after': wait })('');
      expect(Number((await asking.generate({ prompt: 'x' })).headers['retry-after'])).to.be.within(1, 3600);
    });
  }

  it('passes on what the model complains about, shortened', async () => {
    asking.fake.dialect = instead(400, { error: { message: `prompt is rude ${'x'.repeat(5_000)}` } })('');
    const { detail } = (await asking.generate({ prompt: 'x' })).body;
    expect([detail.includes('prompt is rude'), detail.length < 400]).to.deep.equal([true, true]);
  });

  for (const [form, body] of Object.entries(wordsInForms)) {
    it(`passes on the words of an error that comes as ${form}, with 200 too`, async () => {
      for (const status of [400, 200]) {
        asking.fake.dialect = instead(status, body)('');
        const answer = await asking.generate({ prompt: 'x' });
        expect([answer.status, answer.body.code]).to.deep.equal([502, 'language_model_failed']);
        expect(answer.body.detail).to.include('prompt is rude');
      }
    });
  }

  for (const [form, body] of Object.entries(busyInForms)) {
    it(`is busy when 200 carries ${form}`, async () => {
      asking.fake.dialect = instead(200, body, { 'retry-after': '17' })('');
      const answer = await asking.generate({ prompt: 'x', data_type: 'json' });
      expect([answer.status, answer.body.code]).to.deep.equal([503, 'language_model_busy']);
      expect([answer.headers['retry-after'], asking.fake.requests.length]).to.deep.equal(['17', 1]);
    });
  }

  it('is busy when a proxy breaks down because it is', async () => {
    asking.fake.dialect = instead(500, { error: { message: 'later', code: '429' } })('');
    expect((await asking.generate({ prompt: 'x' })).body.code).to.equal('language_model_busy');
  });

  it('is not busy when it rejects a prompt about limits', async () => {
    asking.fake.dialect = instead(400, { error: { message: 'Refused: "what is a rate limit?"' } })('');
    expect((await asking.generate({ prompt: 'x' })).body.code).to.equal('language_model_failed');
  });

  it('takes an answer for one that has an empty error beside it', async () => {
    asking.fake.dialect = instead(200, { error: null, choices: [{ message: { content: 'hello' } }] })('');
    expect((await asking.generate({ prompt: 'x' })).body.data).to.equal('hello');
  });

  it('names the setting when its server knows no such address', async () => {
    asking.fake.dialect = instead(404, '404 page not found')('');
    expect((await asking.generate({ prompt: 'x' })).body.detail).to.include('llm.base_url');
  });

  it('says why the model refuses', async () => {
    const message = { content: null, refusal: 'I draw no weapons.' };
    asking.fake.dialect = instead(200, { choices: [{ message }] })('');
    expect((await asking.generate({ prompt: 'x' })).body.detail)
      .to.include('refuses')
      .and.include('weapons');
  });

  it('names the setting when all tokens went into thoughts', async () => {
    const message = { content: '', reasoning_content: 'They want' };
    asking.fake.dialect = instead(200, { choices: [{ message, finish_reason: 'length' }] })('');
    expect((await asking.generate({ prompt: 'x' })).body.detail).to.include('llm.max_tokens');
  });

  it('is asked once when it breaks down without `response_format`', async () => {
    asking.fake.dialect = instead(500)('');
    await asking.generate({ prompt: 'x' });
    expect(asking.fake.requests).to.have.length(1);
  });

  it('says so when it is the token that is refused', async () => {
    asking.fake.dialect = instead(401, { error: { message: 'no' } })('');
    expect((await asking.generate({ prompt: 'x' })).body.detail).to.include('refuses the token');
  });

  it('does not pass on other tokens that a server lets slip', async () => {
    asking.fake.dialect = instead(400, {
      error: { message: 'upstream said: Bearer abc.def-ghi and sk-1234567890 and /v1?key=1234567890' },
    })('');
    expect((await asking.generate({ prompt: 'x' })).body.detail).to.include('said: *** and *** and /v1***');
  });

  it('does not pass on pages or traces', async () => {
    asking.fake.dialect = instead(500, 'Traceback: /srv/secret/app.py')('');
    expect(JSON.stringify((await asking.generate({ prompt: 'x' })).body)).to.not.include('secret');
  });

  for (const [form, echo] of Object.entries({
    'as it is': (key: string) => key,
    'in base64': BASE64_KEY,
    'in hexadecimal': (key: string) => Buffer.from(key).toString('hex'),
    'in a header': (key: string) => `Authorization: Bearer ${key}`,
  })) {
    it(`never shows its key, which some servers echo ${form}`, async () => {
      const { apiKey } = asking.fake;
      asking.fake.dialect = instead(400, { error: { message: `Bad key ${echo(apiKey)}, really` } })('');
      const { detail } = (await asking.generate({ prompt: 'x' })).body;
      expect([
        detail.includes('really'),
        detail.includes(echo(apiKey)),
        detail.includes(apiKey),
      ]).to.deep.equal([true, false, false]);
    });
  }

  it('is asked once only when it rejects a request that holds nothing optional', async () => {
    asking.fake.dialect = instead(400, { error: { message: 'bad' } })('');
    await asking.generate({ prompt: 'x' });
    expect(asking.fake.requests).to.have.length(1);
  });

  it('is not asked again in another dialect when the model does not exist', async () => {
    asking.fake.dialect = instead(404, { error: { message: 'none' } })('');
    await asking.generate({ prompt: 'x', data_type: 'json' });
    expect(asking.fake.requests).to.have.length(1);
  });

  it('is not asked again when it is busy', async () => {
    asking.fake.dialect = instead(429)('');
    await asking.generate({ prompt: 'x', data_type: 'json' });
    expect(asking.fake.requests).to.have.length(1);
  });
});

describe('a language model that speaks a newer dialect', () => {
  let asking: Asking;

  before(async () => {
    asking = await startAsking('sqlite');
    asking.fake.dialect = { wantsMaxCompletionTokens: true };
  });

  after(() => asking.stop());

  it('is asked again with the token limit under its new name', async () => {
    const { body } = await asking.generate({ prompt: 'x' });
    expect([body.data, asking.fake.requests[1]?.body.max_completion_tokens]).to.deep.equal(['hello', 4096]);
  });

  it('is asked in that dialect from then on', async () => {
    asking.fake.requests.length = 0;
    await asking.generate({ prompt: 'x' });
    expect(asking.fake.requests).to.have.length(1);
  });
});

describe('a language model that cannot be reached', () => {
  it('is answered with 502', async () => {
    const asking = await startAsking('sqlite', { base_url: 'http://127.0.0.1:1/v1' });
    const { status, body } = await asking.generate({ prompt: 'x' });
    await asking.stop();
    expect([status, body.code]).to.deep.equal([502, 'language_model_failed']);
  });

  it('because of its certificate is named to administrators only', async () => {
    const server = createServer({ cert: certificate, key: privateKey });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const asking = await startAsking('sqlite', { base_url: `https://127.0.0.1:${port}/v1` });
    const detailFor = async (token: string): Promise<string> => {
      const options = { body: { prompt: 'x' }, token };
      return (await asking.vitrine.request('POST', '/llm/generate-data', options)).body.detail;
    };
    const details = [
      await detailFor(asking.user.token),
      await detailFor((await asking.vitrine.admin()).token),
    ];
    await asking.stop();
    server.close();
    expect(details[0]).not.to.contain('certificate');
    expect(details[1]).to.match(/self-signed.*NODE_EXTRA_CA_CERTS/);
  });
});

describe('a language model without a model for images', () => {
  it('is answered with 503 when images are asked for', async () => {
    const asking = await startAsking('sqlite', { image_model: '' });
    const { status, body } = await asking.generate({ prompt: 'x', data_type: 'image' });
    await asking.stop();
    expect([status, body.code]).to.deep.equal([503, 'language_model_not_configured']);
  });
});

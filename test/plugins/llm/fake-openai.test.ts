import { expect } from 'chai';
import OpenAI from 'openai';
import { startFakeOpenAi, type FakeOpenAi } from '../../support/fake-openai.ts';
import { pngOf } from './pictures.ts';

const PNG = pngOf(2, 1);

describe("the fake of the OpenAI API, asked by the vendor's own client", () => {
  let fake: FakeOpenAi;
  let client: OpenAI;

  beforeEach(async () => {
    fake = await startFakeOpenAi();
    client = new OpenAI({ baseURL: fake.baseUrl, apiKey: fake.apiKey, maxRetries: 0 });
  });

  afterEach(() => fake.stop());

  const hello: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Say hello in JSON.' }];

  it('chats', async () => {
    const answer = await client.chat.completions.create({ model: 'text-model', messages: hello });
    expect(answer.choices[0]?.message.content).to.equal('hello');
  });

  it('takes a JSON schema for the answer', async () => {
    const answer = await client.chat.completions.create({
      model: 'text-model',
      messages: hello,
      max_tokens: 10,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { type: 'object' }, strict: false },
      },
    });
    expect(answer.object).to.equal('chat.completion');
  });

  it('looks at images', async () => {
    const url = `data:image/png;base64,${PNG.toString('base64')}`;
    const answer = await client.chat.completions.create({
      model: 'vision-model',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What?' },
            { type: 'image_url', image_url: { url } },
          ],
        },
      ],
    });
    expect(answer.usage?.total_tokens).to.equal(2);
  });

  it('draws', async () => {
    fake.draws = PNG;
    const answer = await client.images.generate({ model: 'image-model', prompt: 'a cat', n: 1 });
    expect(answer.data?.[0]?.b64_json).to.equal(PNG.toString('base64'));
  });

  it('draws to an address', async () => {
    fake.dialect = { imageUrl: 'https://images.example/1.png' };
    const answer = await client.images.generate({ model: 'image-model', prompt: 'a cat' });
    expect(answer.data?.[0]?.url).to.equal('https://images.example/1.png');
  });

  const chatting = (more: object) =>
    client.chat.completions.create({ model: 'text-model', messages: hello, ...more });

  const refusals: Readonly<Record<string, { ask: () => Promise<unknown>; status: number }>> = {
    'another key': {
      ask: () =>
        new OpenAI({ baseURL: fake.baseUrl, apiKey: 'other', maxRetries: 0 }).chat.completions.create({
          model: 'text-model',
          messages: hello,
        }),
      status: 401,
    },
    'a model that it does not have': { ask: () => chatting({ model: 'gpt-x' }), status: 404 },
    'no messages': { ask: () => chatting({ messages: [] }), status: 400 },
    'a role that does not exist': {
      ask: () => chatting({ messages: [{ role: 'robot', content: 'x' }] }),
      status: 400,
    },
    'an image as a bare string': {
      ask: () =>
        chatting({
          messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'https://x.example/' }] }],
        }),
      status: 400,
    },
    'a field that does not exist': { ask: () => chatting({ max_length: 3 }), status: 400 },
    'JSON without the word': {
      ask: () =>
        chatting({ messages: [{ role: 'user', content: 'x' }], response_format: { type: 'json_object' } }),
      status: 400,
    },
    'a schema without a name': {
      ask: () => chatting({ response_format: { type: 'json_schema', json_schema: {} } }),
      status: 400,
    },
    'a drawing of nothing': {
      ask: () => client.images.generate({ model: 'image-model', prompt: '' }),
      status: 400,
    },
    'a path that does not exist': {
      ask: () => client.embeddings.create({ model: 'text-model', input: 'x' }),
      status: 404,
    },
  };

  for (const [what, { ask, status }] of Object.entries(refusals)) {
    it(`refuses ${what} with ${status}`, async () => {
      const error = await ask().then(
        () => undefined,
        (reason: unknown) => reason as InstanceType<typeof OpenAI.APIError>,
      );
      expect(error?.status).to.equal(status);
    });
  }

  it('gives its errors the form that the client reads', async () => {
    const error = await chatting({ model: 'gpt-x' }).then(
      () => undefined,
      (reason: unknown) => reason as InstanceType<typeof OpenAI.APIError>,
    );
    expect(error?.code).to.equal('model_not_found');
  });
});

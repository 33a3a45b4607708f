import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startFakeOpenAi, type FakeOpenAi } from '../support/fake-openai.ts';
import { conformance, UNKNOWN_ID } from './support/api.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A host with one picture, and everything else missing. */
async function startPictures(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const found = request.url === '/pixel.png';
    response.writeHead(found ? 200 : 404, { 'content-type': 'image/png' }).end(found ? PIXEL : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

let fake: FakeOpenAi;
let pictures: Awaited<ReturnType<typeof startPictures>>;
before(async () => {
  fake = await startFakeOpenAi();
  pictures = await startPictures();
});
after(async () => {
  await fake.stop();
  pictures.server.closeAllConnections();
  pictures.server.close();
});

conformance(
  'language model',
  (api) => {
    const generate = (body: object) => api.ok('POST', '/llm/generate-data', { as: 'ann', body });
    const describeImage = (image_url: unknown) => ({ as: 'ann', body: { image_url } });

    beforeEach(() => {
      Object.assign(fake, { dialect: {}, description: ['hello'], draws: PIXEL });
    });

    describe('POST /llm/generate-data', () => {
      it('answers what the model says in words as a string', async () => {
        expect(await generate({ prompt: 'a greeting' })).to.include({ data: 'hello', type: 'text' });
      });

      it('answers what the model says in JSON as an object', async () => {
        fake.description = ['{"age":7}'];
        expect(await generate({ prompt: 'a child' })).to.deep.include({ data: { age: 7 }, type: 'json' });
      });

      it('answers an image with its type and bytes', async () => {
        const answer = await generate({ prompt: 'a dot', data_type: 'image' });
        expect(answer).to.deep.include({
          data: { content_type: 'image/png', data_base64: PIXEL.toString('base64') },
          type: 'image',
        });
      });

      it('answers the type that was asked for', async () => {
        expect(await generate({ prompt: 'a table', data_type: 'csv' })).to.include({ type: 'csv' });
      });

      it('follows the input schema of a version', async () => {
        const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
        const { version_id } = await api.callable({ input_schema });
        fake.description = ['{"n":"seven"}', '{"n":7}'];
        expect((await generate({ prompt: 'a number', version_id })).data).to.deep.equal({ n: 7 });
      });

      it('does not know an unknown version', () =>
        api.refused(404, 'POST', '/llm/generate-data', {
          as: 'ann',
          body: { prompt: 'x', version_id: UNKNOWN_ID },
        }));

      it('needs a prompt and a token', async () => {
        await api.refused(401, 'POST', '/llm/generate-data', { body: { prompt: 'x' } });
        for (const body of [{}, { prompt: '' }, { prompt: 1 }]) {
          expect(await api.pointers('POST', '/llm/generate-data', { as: 'ann', body })).to.deep.equal([
            '/body/prompt',
          ]);
        }
      });

      it('answers 502 when the backend fails, and 504 when it is late', async () => {
        const ask = { as: 'ann', body: { prompt: 'x' } };
        fake.dialect = { instead: { status: 500, body: 'broken' } };
        await api.refused(502, 'POST', '/llm/generate-data', ask);
        fake.dialect = { slow: 3_000 };
        await api.refused(504, 'POST', '/llm/generate-data', ask);
      });
    });

    describe('POST /llm/describe-image', () => {
      it('answers a description', async () => {
        fake.description = ['A red dot.'];
        const ask = describeImage(`${pictures.url}/pixel.png`);
        const answer = await api.ok('POST', '/llm/describe-image', ask);
        expect(answer).to.include({ description: 'A red dot.' });
      });

      for (const url of [
        'nonsense',
        'ftp://example.org/a.png',
        'file:///etc/passwd',
        'data:image/png;base64,AA==',
        '',
      ]) {
        it(`refuses the address "${url}"`, async () => {
          expect(await api.pointers('POST', '/llm/describe-image', describeImage(url))).to.deep.equal([
            '/body/image_url',
          ]);
        });
      }

      for (const url of [
        'http://10.0.0.1/a.png',
        'http://169.254.169.254/a.png',
        'http://localhost:1/a.png',
      ]) {
        it(`refuses ${url} as not public`, () =>
          api.refused(422, 'POST', '/llm/describe-image', describeImage(url)));
      }

      it('says when there is no image', () =>
        api.refused(422, 'POST', '/llm/describe-image', describeImage(`${pictures.url}/none.png`)));

      it('needs a token', () =>
        api.refused(401, 'POST', '/llm/describe-image', { body: { image_url: 'x' } }));
    });
  },
  () => ({
    settings: {
      egress: { allow: [`127.0.0.1:${new URL(pictures.url).port}`] },
      llm: {
        base_url: fake.baseUrl,
        api_key: fake.apiKey,
        model: 'text-model',
        vision_model: 'vision-model',
        image_model: 'image-model',
        timeout_ms: 1_500,
        requests_per_minute: 1_000,
      },
    },
  }),
);

conformance('language model that is not configured', (api) => {
  it('has a stand-in that says so', async () => {
    const answer = await api.ok('POST', '/llm/generate-data', { as: 'ann', body: { prompt: 'three cats' } });
    expect(answer).to.include({ model: 'offline' });
    expect(['string', 'object']).to.include(typeof answer.data);
  });

  it('has a stand-in that follows a schema', async () => {
    const input_schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 3, maximum: 4 } },
      required: ['n'],
    };
    const { version_id } = await api.callable({ input_schema });
    const body = { prompt: 'a number', version_id };
    const { data } = await api.ok('POST', '/llm/generate-data', { as: 'ann', body });
    expect([3, 4]).to.include(data.n);
  });
});

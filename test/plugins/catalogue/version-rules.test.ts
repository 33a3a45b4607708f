import { expect } from 'chai';
import { contribute, definePlugin, ValidationFailed } from '../../../core/index.ts';
import { builtInPlugins, onEveryEngine, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { ENDPOINT_SCHEMES } from '../../../plugins/catalogue/contract.ts';
import { NEW_ALGORITHM, NEW_VERSION } from './support/showcase.ts';

/** Lets endpoints be named `demo:<something>`, but not `demo:nothing`. */
const demo = definePlugin({
  id: 'demo',
  version: '1.0.0',
  api: '^1.0',
  summary: 'A scheme of its own',
  requires: ['catalogue'],
  contributes: [
    contribute(ENDPOINT_SCHEMES, {
      deps: {},
      create: () => ({
        schemes: ['demo'],
        check: (url) => {
          if (url.pathname === 'nothing') {
            throw ValidationFailed('Nothing is there.', {
              errors: [{ pointer: '/body/url', message: 'names nothing.' }],
            });
          }
        },
      }),
    }),
  ],
});

describe('What must hold of a version', () => {
  onEveryEngine((engine) => {
    let kernel: TestKernel;
    let token: string;
    let path: string;
    let labels = 0;
    const create = async (fields: object) => {
      const body = { ...NEW_VERSION, version: `v${++labels}`, ...fields };
      return await kernel.request('POST', path, { token, body });
    };

    before(async () => {
      kernel = await startTestKernel({
        engine,
        plugins: [...(await builtInPlugins(['users', 'catalogue'])), demo],
      });
      const account = { username: 'admin', email: 'admin@example.org', password: 'correct horse' };
      await kernel.request('POST', '/users/register', { body: account });
      token = (await kernel.request('POST', '/users/login', { body: account })).body.access_token;
      const { body } = await kernel.request('POST', '/algorithms', { token, body: NEW_ALGORITHM });
      path = `/algorithms/${body.id}/versions`;
    });
    after(() => kernel.stop());

    describe('its url', () => {
      for (const url of [
        'http://localhost:8080/predict',
        'https://models.example.org/v1/predict?size=2#part',
        'http://10.0.0.7/predict',
        'demo:something',
      ]) {
        it(`may be ${url}, and is kept as it is`, async () => {
          const { status, body } = await create({ url });
          expect([status, body.url]).to.deep.equal([200, url]);
        });
      }

      for (const [url, description] of [
        ['models.example.org/predict', /absolute URL/],
        ['/predict', /absolute URL/],
        ['https://', /absolute URL/],
        ['ftp://example.org/x', /scheme "ftp".*http, https, demo/],
        ['file:///etc/passwd', /scheme "file"/],
        ['javascript:alert(1)', /scheme "javascript"/],
        ['data:text/plain,x', /scheme "data"/],
        ['git+ssh://example.org/x', /scheme "git\+ssh"/],
        ['https://user:secret@example.org/', /user name or password/],
        ['https://secret@example.org/', /user name or password/],
        [' https://example.org/', /white space/],
        ['https://exam\nple.org/', /white space/],
        ['https://example.org/\u0007', /control characters/],
        ['demo:nothing', /names nothing/],
      ] as const) {
        it(`must not be ${JSON.stringify(url)}`, async () => {
          const { status, body } = await create({ url });
          expect([status, body.code, body.errors[0].pointer]).to.deep.equal([
            422,
            'validation_failed',
            '/body/url',
          ]);
          expect(body.errors[0].message).to.match(description);
        });
      }

      it('must not be an address that the egress policy closes, and no reason is told', async () => {
        const texts = new Set<string>();
        for (const url of [
          'http://169.254.169.254/latest',
          'http://[fe80::1]/',
          'http://0xa9fea9fe/',
          'http://2852039166/',
        ]) {
          const { status, body } = await create({ url });
          expect([status, body.code, body.errors[0].pointer], url).to.deep.equal([
            422,
            'egress_denied',
            '/body/url',
          ]);
          texts.add(body.detail);
        }
        expect(texts.size).to.equal(1);
      });
    });

    describe('its params', () => {
      for (const params of [
        { k: { type: 'integer', default: 3, min: 1, max: 10 } },
        { k: { type: 'float', default: 0.5 } },
        { k: {} },
        { k: { default: [1, 2] } },
        { k: { type: 'string', enum: ['a', 'b'], default: 'a', label: 'Kind', help: { en: 'which' } } },
        { 'a name/with ~ signs': { type: 'boolean', default: false } },
      ]) {
        it(`may be ${JSON.stringify(params)}, and are kept as they are`, async () => {
          const { status, body } = await create({ params });
          expect([status, body.params]).to.deep.equal([200, params]);
        });
      }

      for (const [params, pointer] of [
        [{ k: 3 }, '/body/params/k'],
        [{ k: null }, '/body/params/k'],
        [{ '': {} }, '/body/params/'],
        [{ k: { type: 'complex' } }, '/body/params/k/type'],
        [{ k: { type: 7 } }, '/body/params/k/type'],
        [{ k: { min: '1' } }, '/body/params/k/min'],
        [{ k: { min: 3, max: 2 } }, '/body/params/k/min'],
        [{ k: { type: 'integer', default: 1.5 } }, '/body/params/k/default'],
        [{ k: { type: 'number', default: 11, max: 10 } }, '/body/params/k/default'],
        [{ k: { enum: [] } }, '/body/params/k/enum'],
        [{ k: { enum: ['a'], default: 'b' } }, '/body/params/k/default'],
        [{ 'a/b': { type: '?' } }, '/body/params/a~1b/type'],
        [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`p${n}`, {}])), '/body/params'],
      ] as const) {
        it(`must not be ${JSON.stringify(params).slice(0, 60)}`, async () => {
          const { status, body } = await create({ params });
          expect([status, body.errors[0].pointer]).to.deep.equal([422, pointer]);
        });
      }
    });

    describe('its schemas', () => {
      for (const field of ['input_schema', 'output_schema']) {
        it(`must be usable: ${field}`, async () => {
          const { status, body } = await create({ [field]: { properties: { a: { pattern: '(?<!a)b' } } } });
          expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
          expect(body.errors[0].pointer).to.equal(`/body/${field}/properties/a/pattern`);
        });
      }

      it('are reported together, and with its params', async () => {
        const { body } = await create({
          params: { k: { type: 'complex' }, l: { min: 3, max: 2 } },
          input_schema: { type: 'array' },
          output_schema: { type: 'objekt', required: 'a' },
        });
        expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.have.members([
          '/body/params/k/type',
          '/body/params/l/min',
          '/body/input_schema',
          '/body/output_schema/type',
          '/body/output_schema/required',
        ]);
      });

      it('must allow objects: input_schema', async () => {
        const { status, body } = await create({ input_schema: { type: 'array' } });
        expect([status, body.code]).to.deep.equal([422, 'validation_failed']);
        expect(body.errors).to.deep.equal([
          {
            pointer: '/body/input_schema',
            message: 'must allow objects, because the input of a call is always one.',
          },
        ]);
      });

      it('may allow something else than objects: output_schema', async () => {
        expect((await create({ output_schema: { type: 'array' } })).status).to.equal(200);
      });
    });
  });
});

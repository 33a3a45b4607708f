import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startStage, type Stage } from './support/stage.ts';

type Write = (response: ServerResponse) => void;

const json =
  (body: string, status = 200): Write =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const typed =
  (type: string, body: string | Buffer, status = 200): Write =>
  (response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

const coded =
  (coding: string, body: string | Buffer, status = 200): Write =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding })
      .end(body);
const codedTwice: Write = (response) =>
  void response
    .writeHead(
      200,
      [
        ['Content-Type', 'application/json'],
        ['Content-Encoding', 'identity'],
        ['Content-Encoding', 'Identity'],
      ].flat(),
    )
    .end('{"a":1}');
const brokenOff =
  (status: number): Write =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': 100 });
    response.write('{', () => response.destroy());
  };
const noContent: Write = (response) =>
  void response.writeHead(204, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end();

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

/** What an endpoint answers with success, and the output that is made of it. */
const outputs: readonly (readonly [string, Write, unknown])[] = [
  ['a JSON object', json('{"a":[1,{"b":null}]}'), { a: [1, { b: null }] }],
  ['a JSON list', json('[1,2]'), { result: [1, 2] }],
  ['a JSON number', json('42'), { result: 42 }],
  ['JSON null', json('null'), { result: null }],
  ['a JSON text', json('"yes"'), { result: 'yes' }],
  ['JSON behind a byte order mark', json('\uFEFF{"a":1}'), { a: 1 }],
  ['JSON of another type', typed('application/geo+json; charset=utf-8', '{"a":1}'), { a: 1 }],
  ['JSON without saying so', (response) => void response.writeHead(200).end('{"a":1}'), { a: 1 }],
  ['JSON 64 levels deep', json(nested(64)), { result: JSON.parse(nested(64)) }],
  ['brackets in a text', json(`{"a":"${'['.repeat(100)}\\""}`), { a: `${'['.repeat(100)}"` }],
  ['201', json('{"a":1}', 201), { a: 1 }],
  ['text', typed('text/plain', 'grüß'), { content_type: 'text/plain', data_base64: 'Z3LDvMOf' }],
  ['bytes', typed('image/png', Buffer.from([0, 255])), { content_type: 'image/png', data_base64: 'AP8=' }],
  [
    'bytes without a type',
    (response) => void response.writeHead(200).end('not json'),
    { content_type: 'application/octet-stream', data_base64: 'bm90IGpzb24=' },
  ],
  ['nothing', (response) => void response.writeHead(200).end(), {}],
  ['204', (response) => void response.writeHead(204).end(), {}],
  ['204 that names JSON', json('', 204), {}],
  ['204 that names a picture and a coding', noContent, {}],
  ['205 that names JSON', json('', 205), {}],
  ['JSON in the coding "Identity"', coded('Identity', '{"a":1}'), { a: 1 }],
  ['JSON in an empty coding', coded('', '{"a":1}'), { a: 1 }],
  ['JSON in the coding " IDENTITY ,, identity"', coded(' IDENTITY ,, identity', '{"a":1}'), { a: 1 }],
  ['JSON in the coding "identity" twice', codedTwice, { a: 1 }],
  [
    'numbers that a double holds',
    json('{"a":[9007199254740992,-0,1e3],"b":{"c":0.30000000000000004,"d":0.10000000000000001}}'),
    { a: [9_007_199_254_740_992, 0, 1_000], b: { c: 0.30000000000000004, d: 0.1 } },
  ],
  [
    'a long integer as text and in a key',
    json('{"9007199254740993":"9007199254740993"}'),
    { '9007199254740993': '9007199254740993' },
  ],
];

/** What an endpoint answers that makes a failed call, its code, and what the caller is told. */
const failures: readonly (readonly [string, Write, string, RegExp])[] = [
  [
    '404',
    typed('text/html', '<h1>Not found</h1>', 404),
    'upstream_rejected',
    /refused the call with status 404\.$/,
  ],
  [
    '422',
    json('{"detail":"k must be\\n positive"}', 422),
    'upstream_rejected',
    /status 422: k must be positive$/,
  ],
  [
    '400 of OpenAI',
    json('{"error":{"message":"no such model"}}', 400),
    'upstream_rejected',
    /400: no such model$/,
  ],
  ['400 in text', typed('text/plain', 'too\u0007 dark', 400), 'upstream_rejected', /400: too dark$/],
  ['429', json('{"message":"slow down"}', 429), 'upstream_rejected', /429: slow down$/],
  [
    '500',
    json('{"message":"stack trace"}', 500),
    'upstream_error',
    /failed with status 500\. Try again later/,
  ],
  ['503', typed('text/plain', 'busy', 503), 'upstream_error', /status 503/],
  ['503, compressed', coded('gzip', gzipSync('{}'), 503), 'upstream_error', /status 503/],
  ['503 of 9 MiB', json(' '.repeat(9 * 1024 * 1024), 503), 'upstream_error', /status 503/],
  ['503 that breaks off', brokenOff(503), 'upstream_error', /status 503/],
  ['422, compressed', coded('gzip', gzipSync('{}'), 422), 'upstream_rejected', /status 422\.$/],
  ['422 of 9 MiB', json(' '.repeat(9 * 1024 * 1024), 422), 'upstream_rejected', /status 422\.$/],
  ['422 that breaks off', brokenOff(422), 'upstream_rejected', /status 422\.$/],
  ['200, compressed', coded('gzip', gzipSync('{}')), 'upstream_bad_response', /compressed/],
  ['200 that breaks off', brokenOff(200), 'upstream_bad_response', /broke off/],
  [
    '301',
    (response) => void response.writeHead(301, { location: '/' }).end(),
    'upstream_bad_response',
    /redirect/,
  ],
  ['broken JSON', json('{"a":'), 'upstream_bad_response', /claims to be JSON but is not/],
  ['no JSON where it says so', json(''), 'upstream_bad_response', /claims to be JSON but is not/],
  [
    'JSON in Latin-1',
    typed('application/json', Buffer.from('{"a":"\xe9"}', 'latin1')),
    'upstream_bad_response',
    /UTF-8/,
  ],
  ['JSON 65 levels deep', json(nested(65)), 'upstream_bad_response', /more than 64 levels/],
  ['JSON 100,000 levels deep', json(nested(100_000)), 'upstream_bad_response', /more than 64 levels/],
  [
    'more than a million arrays',
    json(`[${Array(1_048_576).fill('[]').join()}]`),
    'upstream_bad_response',
    /cannot be used: its JSON has more than 1048576 arrays and objects\.$/,
  ],
  ['a NUL character', json('{"a":"\\u0000"}'), 'upstream_bad_response', /NUL/],
  ['a NUL character in a key', json('{"\\u0000":1}'), 'upstream_bad_response', /NUL/],
  ['half of a surrogate pair', json('["\\ud800"]'), 'upstream_bad_response', /surrogate/],
  [
    'an integer that would lose digits',
    json('{"order":{"id":9007199254740993}}'),
    'upstream_bad_response',
    /would lose digits .* at \/order\/id\.$/,
  ],
  [
    'an integer in an array that would lose digits',
    json('[{"ids":[1,-9007199254740993]}]'),
    'upstream_bad_response',
    /an integer that would lose digits .* at \/0\/ids\/1\.$/,
  ],
  [
    'an integer with an exponent that would lose digits',
    json('{"id":9.007199254740993E+15}'),
    'upstream_bad_response',
    /a number that would lose digits .* at \/id\.$/,
  ],
  [
    'a decimal that would lose digits',
    json('{"price":0.1000000000000000055}'),
    'upstream_bad_response',
    /a number that would lose digits .* at \/price\.$/,
  ],
  ['a number below numbers', json('{"p":[1e-400]}'), 'upstream_bad_response', /too small at \/p\/0\.$/],
  ['280 sevens and e40', json(`{"a":${'7'.repeat(280)}e40}`), 'upstream_bad_response', /too large at \/a\.$/],
  ['an empty 200 that names JSON', json(' '), 'upstream_bad_response', /it is empty\.$/],
  ['JSON that ends too early', json('{"a":[1,2'), 'upstream_bad_response', /it ends too early\.$/],
  [
    'JSON in the coding "identity, gzip"',
    coded('identity, gzip', '{}'),
    'upstream_bad_response',
    /compressed/,
  ],
  [
    'NaN',
    json('{"a":[NaN]}'),
    'upstream_bad_response',
    /contains NaN, which JSON does not allow, at \/a\/0\.$/,
  ],
  ['a number beyond numbers', json('{"a":1e999}'), 'upstream_bad_response', /too large/],
];

describe('What an endpoint answers', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let write: Write;
    before(async () => {
      stage = await startStage(engine, (_, response) => write(response));
    });
    after(() => stage.stop());

    for (const [what, answer, output] of outputs) {
      it(`becomes the output: ${what}`, async () => {
        write = answer;
        const { body } = await stage.call(await stage.play());
        expect(body).to.include({ status: 'success', error_code: null, error_message: null });
        expect(body.output_data).to.deep.equal(output);
      });
    }

    for (const [what, answer, code, message] of failures) {
      it(`is a failed call: ${what}`, async () => {
        write = answer;
        const { status, body } = await stage.call(await stage.play(), { input_data: { x: 1 } });
        expect(status).to.equal(200);
        expect(body).to.include({ status: 'failed', error_code: code, output_data: null });
        expect(body.error_message).to.match(message);
        const stored = await stage.request('GET', `/algorithms/calls/${body.id}`, { token: stage.alice });
        expect(stored.body).to.deep.equal(body);
      });
    }

    it('keeps escapes that mean nothing bad', async () => {
      write = json('{"a":"\\\\u0000","b":"\\ud83d\\ude00","c":1e100}');
      const { body } = await stage.call(await stage.play());
      expect(body.output_data).to.deep.equal({ a: '\\u0000', b: '😀', c: 1e100 });
    });

    it('may have keys such as `__proto__`, without effect', async () => {
      write = json('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
      const { body } = await stage.call(await stage.play());
      expect(Object.keys(body.output_data)).to.deep.equal(['__proto__', 'constructor']);
      expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
    });

    it('is quoted without secrets and in at most 2 kB', async () => {
      const secrets =
        'Bearer abcdef123456 vk_0123456789abcdef http://me:pass@host/ api_key="s3cr3t" eyJhbGciOi.eyJzdWIi.c2ln';
      write = json(JSON.stringify({ message: `${secrets} ${'x'.repeat(10_000)}` }), 400);
      const { body } = await stage.call(await stage.play());
      for (const secret of ['abcdef123456', '0123456789abcdef', 'me:pass', 's3cr3t', 'c2ln']) {
        expect(body.error_message).not.to.contain(secret);
      }
      expect(body.error_message.length).to.be.below(2048 + 60);
    });

    it('must satisfy the output schema of the version', async () => {
      write = json('{"label":7}');
      const output_schema = { type: 'object', properties: { label: { type: 'string' } } };
      const { body } = await stage.call(await stage.play({ version: { output_schema } }));
      expect(body).to.include({ status: 'failed', error_code: 'output_invalid', output_data: null });
      expect(body.error_message).to.contain('/label');
    });

    const list = { type: 'array', items: { type: 'number' } };
    const answers: readonly (readonly [answer: string, output_schema: object, code: string | null])[] = [
      ['[1,2]', list, null],
      ['[1,"2"]', list, 'output_invalid'],
      ['{"result":[1,2]}', list, 'output_invalid'],
      ['[1,2]', { $ref: '#/$defs/list', $defs: { list } }, null],
      ['"cat"', { enum: ['cat', 'dog'] }, null],
      ['"cow"', { enum: ['cat', 'dog'] }, 'output_invalid'],
      ['null', { type: ['object', 'null'] }, null],
      ['7', { type: 'integer', minimum: 8 }, 'output_invalid'],
      ['{"a":1}', { anyOf: [{ type: 'object', required: ['a'] }, list] }, null],
      ['[1,2]', { type: 'object', properties: { result: list }, required: ['result'] }, null],
      ['[1,"2"]', { type: 'object', properties: { result: list } }, 'output_invalid'],
    ];
    for (const [answer, output_schema, code] of answers) {
      it(`${answer} against ${JSON.stringify(output_schema)} is ${code ?? 'right'}`, async () => {
        write = json(answer);
        const { body } = await stage.call(await stage.play({ version: { output_schema } }));
        expect(body.error_code).to.equal(code);
        const value: unknown = JSON.parse(answer);
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
        expect(body.output_data).to.deep.equal(code === null ? (isObject ? value : { result: value }) : null);
      });
    }

    it('counts as output when it satisfies the schema', async () => {
      write = json('{"label":"cat"}');
      const output_schema = { type: 'object', properties: { label: { type: 'string' } } };
      const { body } = await stage.call(await stage.play({ version: { output_schema } }));
      expect(body).to.include({ status: 'success' });
    });
  });
});

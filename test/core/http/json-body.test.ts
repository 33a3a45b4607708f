import { expect } from 'chai';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

/** The bytes of a large body, of which each part needs some. */
const EIGHTH = 8_388_608 / 8;

const json = { 'Content-Type': 'application/json' };

describe('reading JSON bodies', () => {
  let server: TestServer;
  before(async () => (server = await startServer(things)));
  after(() => server.close());

  const post = (body: string | Buffer, headers: Record<string, string> = json) =>
    server.request('POST', '/things/call', { body, headers });
  const outcome = async (body: string | Buffer, headers?: Record<string, string>) => {
    const answer = await post(body, headers);
    return `${answer.status} ${answer.body.code ?? 'ok'}`;
  };

  const nested = (depth: number): string => `{"input":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
  const withKeys = (count: number): string =>
    JSON.stringify({ input: Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i])) });

  const times = (count: number, part: string): string =>
    `{"input":{"a":[${Array(count).fill(part).join()}]}}`;

  const cases: readonly (readonly [string, string, string])[] = [
    ['an object', '{"input":{"a":1}}', '200 ok'],
    ['white space around', ' \r\n\t{"input":{}} \n', '200 ok'],
    ['64 levels', nested(62), '200 ok'],
    ['65 levels', nested(63), '400 too_deep'],
    ['100 000 levels', nested(100_000), '400 too_deep'],
    ['depth inside a string', JSON.stringify({ input: { a: '['.repeat(100) } }), '200 ok'],
    ['depth behind an escaped quote', `{"input":{"a":"\\"${'['.repeat(100)}"}}`, '200 ok'],
    ['depth behind an escaped backslash', `{"input":{"a":"\\\\","b":${'['.repeat(100)}`, '400 too_deep'],
    ['100 000 keys in one object', withKeys(100_000), '200 ok'],
    ['100 001 keys in one object', withKeys(100_001), '400 too_many_parts'],
    ['3 400 records of three fields', times(3_400, '{"id":1,"x":0.5,"y":2}'), '200 ok'],
    ['a picture of 512 × 512 × 3', times(512, `[${Array(512).fill('[0,127,255]').join()}]`), '200 ok'],
    ['a key for every 8 bytes', times(EIGHTH / 2 - 1, '{"":1,"a":1}'), '200 ok'],
    [
      'one key more',
      times(EIGHTH / 2 - 1, '{"":1,"a":1}').replace('{"":1', '{"":1,"b":1'),
      '400 too_many_parts',
    ],
    ['an array or object for every 8 bytes', times(EIGHTH - 3, '[]'), '200 ok'],
    ['one array more', times(EIGHTH - 2, '[]'), '400 too_many_parts'],
    ['one more, some in others', times(EIGHTH / 2, '[{}]'), '400 too_many_parts'],
    ['a string for every 4 bytes', times(2 * EIGHTH - 8, '""'), '200 ok'],
    ['some strings more', times(2 * EIGHTH + 8, '""'), '400 too_many_parts'],
    ['brackets in strings', times(1, `"${'[{'.repeat(100_000)}"`), '200 ok'],
    ['4 million numbers', times(4_000_000, '7'), '200 ok'],
    ['long arrays', JSON.stringify({ input: { a: Array(50_000).fill(0.5) } }), '200 ok'],
    ['a key given twice', '{"input":{"a":1,"a":2}}', '400 forbidden_key'],
    ['a key given twice, once escaped', '{"input":{"a":1,"\\u0061":2}}', '400 forbidden_key'],
    ['a key given twice among many', `${withKeys(50).slice(0, -2)},"k3":1}}`, '400 forbidden_key'],
    ['one key in two objects', '{"input":{"a":{"b":1},"c":[{"b":1},{"b":2}]}}', '200 ok'],
    ['a key as a value', '{"input":{"a":"b","b":"a"}}', '200 ok'],
    ['__proto__', '{"input":{"__proto__":{"x":1}}}', '400 forbidden_key'],
    ['__proto__ in escapes', '{"input":{"\\u005f_proto__":{"x":1}}}', '400 forbidden_key'],
    ['__proto__ as a value', '{"input":{"a":"__proto__"}}', '200 ok'],
    ['constructor.prototype', '{"input":{"constructor":{"prototype":{"x":1}}}}', '400 forbidden_key'],
    ['constructor alone', '{"input":{"constructor":{"name":"x"}}}', '200 ok'],
    ['prototype alone', '{"input":{"prototype":{"x":1}}}', '200 ok'],
    ['NUL in a string', '{"input":{"a":"x\\u0000y"}}', '422 validation_failed'],
    ['NUL in a key', '{"input":{"a\\u0000":1}}', '422 validation_failed'],
    ['half a surrogate pair', '{"input":{"a":"\\ud83d"}}', '422 validation_failed'],
    ['a whole surrogate pair', '{"input":{"a":"\\ud83d\\ude00"}}', '200 ok'],
    ['an escaped backslash before u0000', '{"input":{"a":"\\\\u0000"}}', '200 ok'],
    ['1e400', '{"input":{"a":1e400}}', '422 validation_failed'],
    ['1e-400', '{"input":{"a":1e-400}}', '422 validation_failed'],
    ['-0.1e-999', '{"input":{"a":-0.1e-999}}', '422 validation_failed'],
    ['-1e400', '{"input":{"a":[-1E+400]}}', '422 validation_failed'],
    ['a whole number of 400 digits', `{"input":{"a":${'9'.repeat(400)}}}`, '422 validation_failed'],
    ['2^53 + 1', '{"input":{"a":9007199254740993}}', '422 validation_failed'],
    ['2^53 + 2, which a double holds', '{"input":{"a":9007199254740994}}', '200 ok'],
    ['2^63 as JavaScript writes it', '{"input":{"a":9223372036854776000}}', '200 ok'],
    ['2^63 - 1', '{"input":{"a":9223372036854775807}}', '422 validation_failed'],
    ['1e20 written out', '{"input":{"a":100000000000000000000}}', '200 ok'],
    ['a long fraction', '{"input":{"a":0.12345678901234567890123}}', '200 ok'],
    ['nothing', '', '400 malformed_json'],
    ['white space only', '   ', '400 malformed_json'],
    ['an unclosed object', '{"input":', '400 malformed_json'],
    ['a trailing comma', '{"input":{},}', '400 malformed_json'],
    ['closing brackets only', ']]]}}}', '400 malformed_json'],
    ['two values', '{"input":{}} {}', '400 malformed_json'],
    ['an unclosed string', '{"input":{"a":"', '400 malformed_json'],
    ['a broken escape', '{"input":{"a":"\\x"}}', '400 malformed_json'],
    ['NaN', '{"input":{"a":NaN}}', '400 malformed_json'],
    ['a byte order mark', '\ufeff{"input":{}}', '400 malformed_json'],
    ['null', 'null', '422 validation_failed'],
    ['an array', '[]', '422 validation_failed'],
  ];
  for (const [what, body, expected] of cases) {
    it(`answers ${expected} to ${what}`, async () => expect(await outcome(body)).to.equal(expected));
  }

  it('answers 400 to bytes that are not UTF-8', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"input":{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ]);
    expect(await outcome(bytes)).to.equal('400 malformed_json');
  });

  it('names the limit that a body goes beyond', async () => {
    const details = await Promise.all(
      [nested(63), withKeys(100_001), times(EIGHTH, '{}'), times(2 * EIGHTH, '""')].map(
        async (body) => (await post(body)).body.detail as string,
      ),
    );
    expect(details).to.deep.equal([
      'The body is nested more than 64 levels deep.',
      'The body has an object of more than 100000 keys. Send less at once.',
      'The body has more than 1048576 arrays and objects. Send less at once.',
      'The body has more than 2097152 strings. Send less at once.',
    ]);
  });

  it('names the position of a value that cannot be stored', async () => {
    const answer = await post('{"input":{"a/b":[1,{"c~d":"\\u0000"}]}}');
    expect(answer.body.errors).to.deep.equal([
      { pointer: '/body/input/a~1b/1/c~0d', message: 'must not contain the character NUL.' },
    ]);
  });

  it('leaves the prototype of objects alone', async () => {
    await post('{"input":{"__proto__":{"polluted":true}}}');
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });

  const types: readonly (readonly [string, Record<string, string>, string])[] = [
    ['with a charset', { 'Content-Type': 'application/json; charset=utf-8' }, '200 ok'],
    ['in capitals and quotes', { 'Content-Type': 'Application/JSON;charset="UTF-8"' }, '200 ok'],
    ['in Latin 1', { 'Content-Type': 'application/json; charset=latin1' }, '415 unsupported_media_type'],
    ['as text', { 'Content-Type': 'text/plain' }, '415 unsupported_media_type'],
    ['as a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, '415 unsupported_media_type'],
    ['compressed', { ...json, 'Content-Encoding': 'gzip' }, '415 unsupported_media_type'],
    ['explicitly not compressed', { ...json, 'Content-Encoding': 'identity' }, '200 ok'],
  ];
  for (const [what, headers, expected] of types) {
    it(`answers ${expected} to a body ${what}`, async () => {
      expect(await outcome('{"input":{}}', headers)).to.equal(expected);
    });
  }

  it('answers 415 to a body without a type', async () => {
    expect(await outcome(Buffer.from('{"input":{}}'), {})).to.equal('415 unsupported_media_type');
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import Type from 'typebox';
import { problem } from '../../../core/errors/problem.ts';
import { StartupError } from '../../../core/errors/startup-error.ts';
import { createApiDescription } from '../../../core/http/openapi/document.ts';
import { routesWith, type Route } from '../../../core/http/routing/route.ts';
import { jsonObject, MessageAnswer, named, nullable } from '../../../core/http/validation/schemas.ts';
import { Thing, things } from './routes-fixture.ts';

const Clash = problem({
  code: 'thing_exists',
  status: 409,
  title: 'It exists',
  description: 'Choose another name.',
});
const route = routesWith({});

const more: readonly Route[] = [
  route({
    method: 'PUT',
    path: '/things/{thing_id}',
    operationId: 'updateThing',
    summary: 'Changes a thing',
    access: 'user',
    body: Type.Object({ name: Type.String(), parent: nullable(Thing) }),
    answers: Type.Array(Thing),
    headers: { 'X-Thing-Count': 'How many there are.' },
    problems: [Clash],
    handle: () => [],
  }),
  route({
    method: 'DELETE',
    path: '/things/{thing_id}',
    operationId: 'deleteThing',
    summary: 'Deletes a thing',
    access: 'account',
    answers: MessageAnswer,
    handle: () => ({ message: 'gone' }),
  }),
  route({
    method: 'POST',
    path: '/sign-in',
    operationId: 'signIn',
    summary: 'Signs in',
    access: 'anonymous',
    body: Type.Object({
      name: Type.String({ pattern: '^\\p{L}+$', description: 'Letters.' }),
      code: Type.String({ pattern: '^[0-9]+$' }),
      kind: Type.Enum(['one', 'two']),
    }),
    answers: MessageAnswer,
    handle: () => ({ message: 'in' }),
  }),
  route({
    method: 'GET',
    path: '/page',
    operationId: 'page',
    summary: 'A page',
    access: 'public',
    hidden: true,
    answers: jsonObject(),
    handle: () => ({}),
  }),
];

function documentOf(routes: readonly Route[]): any {
  const plugins = [{ id: 'demo', summary: 'Things to try', routes }];
  return createApiDescription({ basePath: '/api/v1', version: '1.2.3', plugins }).document();
}

describe('the OpenAPI document', () => {
  const document = documentOf([...things, ...more]);

  it('names version and base path', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.info.version).to.equal('1.2.3');
    expect(document.servers).to.deep.equal([{ url: '/api/v1' }]);
  });

  it('has every operation that is not hidden', () => {
    const operations = Object.values<any>(document.paths).flatMap((item) =>
      Object.values<any>(item).map(({ operationId }) => operationId),
    );
    expect(operations).to.have.members([
      'listThings',
      'createThing',
      'callThing',
      'getThing',
      'getThingCall',
      'updateThing',
      'deleteThing',
      'signIn',
    ]);
  });

  it('sorts operations under the plugin that serves them', () => {
    expect(document.tags).to.deep.equal([{ name: 'demo', description: 'Things to try' }]);
    expect(document.paths['/things'].get.tags).to.deep.equal(['demo']);
  });

  it('refers to named schemas wherever they stand', () => {
    const reference = { $ref: '#/components/schemas/Thing' };
    const put = document.paths['/things/{thing_id}'].put;
    expect(put.responses[200].content['application/json'].schema.items).to.deep.equal(reference);
    expect(put.requestBody.content['application/json'].schema.properties.parent.anyOf).to.deep.equal([
      reference,
      { type: 'null' },
    ]);
    expect(document.components.schemas.Thing.properties.count).to.deep.equal({
      type: 'integer',
      minimum: 0,
      maximum: 10,
    });
  });

  it('leaves no private keyword behind', () => {
    expect(JSON.stringify(document)).not.to.contain('x-component');
  });

  it('lists parameters of path and query, with defaults as optional', () => {
    expect(document.paths['/things/{thing_id}'].get.parameters).to.deep.equal([
      { name: 'thing_id', in: 'path', required: true, schema: { type: 'string' } },
    ]);
    const limit = document.paths['/things'].get.parameters.find(({ name }: any) => name === 'limit');
    expect(limit).to.include({ in: 'query', required: false });
    expect(limit.schema).to.deep.equal({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
  });

  it('describes the access to each operation', () => {
    expect(document.paths['/sign-in'].post.security).to.deep.equal([]);
    expect(document.paths['/things'].get.security).to.deep.equal([{}, { bearer: [] }, { apiKey: [] }]);
    expect(document.paths['/things/{thing_id}'].put.security).to.deep.equal([
      { bearer: [] },
      { apiKey: ['manage'] },
    ]);
    expect(document.paths['/things/{thing_id}'].delete.security).to.deep.equal([{ bearer: [] }]);
  });

  it('shows the problems that can occur, with examples', () => {
    const put = document.paths['/things/{thing_id}'].put.responses;
    expect(Object.keys(put)).to.have.members([
      '200',
      '400',
      '401',
      '403',
      '408',
      '409',
      '413',
      '415',
      '422',
      '500',
      '503',
    ]);
    const example = put[409].content['application/problem+json'].examples.thing_exists.value;
    expect(example).to.include({ status: 409, code: 'thing_exists', title: 'It exists' });
    expect(Object.keys(document.paths['/things/{thing_id}'].delete.responses)).to.include('403');
    const { 503: unavailable } = put;
    expect(unavailable.content['application/problem+json'].examples).to.have.keys(
      'not_ready',
      'overloaded',
      'store_unavailable',
    );
    expect(Object.keys(document.paths['/things'].get.responses)).not.to.include.members(['408', '409']);
  });

  it('describes the headers of answers, those of the operation with its success', () => {
    const { headers } = document.components;
    const put = document.paths['/things/{thing_id}'].put.responses;
    expect(put[200].headers).to.deep.equal({
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      'X-Thing-Count': { description: 'How many there are.', schema: { type: 'string' } },
    });
    expect(put[401].headers).to.have.keys('X-Request-Id', 'WWW-Authenticate');
    expect(put[409].headers).to.have.keys('X-Request-Id');
    expect(put[503].headers).to.have.keys('X-Request-Id', 'Retry-After');
    expect(headers).to.have.keys('X-Request-Id', 'WWW-Authenticate', 'Retry-After');
  });

  it('says what programs of any language understand', () => {
    const { schema } = document.paths['/sign-in'].post.requestBody.content['application/json'];
    expect(schema.properties).to.deep.equal({
      // Few know classes of Unicode; many could not even load the pattern.
      name: { type: 'string', description: 'Letters.' },
      code: { type: 'string', pattern: '^[0-9]+$' },
      // Without a type it would be anything.
      kind: { type: 'string', enum: ['one', 'two'] },
    });
  });

  it('shows no problem with credentials where none are looked at', () => {
    expect(document.paths['/sign-in'].post.responses).not.to.have.any.keys('401', '403');
    expect(document.paths['/things'].get.responses).to.have.any.keys('401');
  });

  it('stops the start when one name means two schemas', () => {
    const other = named('Thing', Type.Object({ x: Type.Integer() }));
    const clash = route({
      method: 'GET',
      path: '/other',
      operationId: 'other',
      summary: 'Another thing',
      access: 'public',
      answers: other,
      handle: () => ({ x: 1 }),
    });
    expect(() => documentOf([...things, clash])).to.throw(StartupError, '"Thing"');
  });

  it('passes the linter of the specification', async function () {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    const file = join(folder, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const lint = promisify(execFile)('node_modules/.bin/redocly', ['lint', '--format=json', file], {
      env: { ...process.env, REDOCLY_TELEMETRY: 'off' },
    });
    const output = await lint.catch((error: { stdout: string }) => error);
    await rm(folder, { recursive: true });
    expect(JSON.parse(output.stdout).totals).to.include({ errors: 0 });
  });
});

import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import Type, { type TSchema } from 'typebox';
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
  members: { thing: Type.String({ description: 'The one that exists.' }) },
  headers: { 'X-Thing-Count': 'How many there are.' },
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
    links: { thing_id: '/0/id', shelf_id: '/0/shelf' },
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

const noted = route({
  method: 'GET',
  path: '/noted',
  operationId: 'noted',
  summary: 'Has a field with the name of a keyword',
  access: 'public',
  answers: Type.Object({ examples: Type.String({ examples: ['x'] }) }),
  handle: () => ({ examples: '' }),
});

function documentOf(routes: readonly Route[]): any {
  const plugins = [{ id: 'demo', summary: 'Things to try', routes }];
  return createApiDescription({ basePath: '/api/v1', version: '1.2.3', plugins }).document();
}

/** The codes that a response of the document may have. */
const codesOf = (response: any): string[] =>
  response.content['application/problem+json'].schema.allOf[1].properties.code.enum;

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
      { $ref: '#/components/parameters/thing_id' },
    ]);
    const { thing_id, limit } = document.components.parameters;
    expect(thing_id).to.deep.equal({
      name: 'thing_id',
      in: 'path',
      required: true,
      description: 'From `updateThing`.',
      schema: { type: 'string' },
    });
    expect(limit).to.include({ in: 'query' }).and.not.have.property('required');
    expect(limit.schema).to.deep.equal({ type: 'integer', minimum: 1, maximum: 1000, default: 100 });
  });

  it('links an answer to the operation that reads what its id stands for, where there is one', () => {
    expect(document.paths['/things/{thing_id}'].put.responses[200].links).to.deep.equal({
      getThing: { operationId: 'getThing', parameters: { thing_id: '$response.body#/0/id' } },
    });
    expect(document.paths['/things'].post.responses[200]).not.to.have.property('links');
  });

  it('describes the access to each operation', () => {
    expect(document.paths['/sign-in'].post.security).to.deep.equal([]);
    expect(document.paths['/things'].get.security).to.deep.equal([
      {},
      { bearer: [] },
      { apiKey: [] },
      { cookieAuth: [] },
    ]);
    // What most operations need is said once.
    expect(document.security).to.deep.equal([{ bearer: [] }, { apiKey: ['manage'] }, { cookieAuth: [] }]);
    expect(document.paths['/things/{thing_id}'].put).not.to.have.property('security');
    expect(document.paths['/things/{thing_id}'].delete.security).to.deep.equal([
      { bearer: [] },
      { cookieAuth: [] },
    ]);
  });

  it('shows the problems that can occur, each response once', () => {
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
    expect(put[409]).to.deep.equal({ $ref: '#/components/responses/ThingExists' });
    const { ThingExists, Unavailable } = document.components.responses;
    expect(ThingExists.description).to.equal('It exists.');
    expect(codesOf(ThingExists)).to.deep.equal(['thing_exists']);
    expect(Object.keys(document.paths['/things/{thing_id}'].delete.responses)).to.include('403');
    expect(codesOf(Unavailable)).to.have.members(['not_ready', 'overloaded', 'store_unavailable']);
    expect(Object.keys(document.paths['/things'].get.responses)).not.to.include.members(['408', '409']);
  });

  it('describes the headers of answers, those of the operation with its success', () => {
    const { headers } = document.components;
    const put = document.paths['/things/{thing_id}'].put.responses;
    expect(put[200].headers).to.deep.equal({
      'X-Thing-Count': { $ref: '#/components/headers/X-Thing-Count' },
    });
    expect(headers['X-Thing-Count']).to.deep.equal({
      description: 'How many there are.',
      schema: { type: 'string' },
    });
    const { NotSignedIn, ThingExists, Unavailable } = document.components.responses;
    expect(NotSignedIn.headers).to.have.keys('WWW-Authenticate');
    expect(ThingExists.headers).to.have.keys('X-Thing-Count');
    expect(Unavailable.headers).to.have.keys('Retry-After');
    expect(headers).to.include.keys('WWW-Authenticate', 'Retry-After');
  });

  it('uses only what tools in any language understand', () => {
    const { schema } = document.paths['/sign-in'].post.requestBody.content['application/json'];
    expect(schema.properties).to.deep.equal({
      // Few know classes of Unicode; many could not even load the pattern.
      name: { type: 'string', description: 'Letters.' },
      code: { type: 'string', pattern: '^[0-9]+$' },
      // Without a type it would be anything.
      kind: { type: 'string', enum: ['one', 'two'] },
    });
  });

  it('describes the members that a problem has of its own', () => {
    const { ThingExists, Unavailable } = document.components.responses;
    const membersOf = (response: any): object =>
      response.content['application/problem+json'].schema.allOf[1].properties;
    expect(membersOf(ThingExists)).to.deep.include({
      thing: { type: 'string', description: 'The one that exists.' },
    });
    expect(membersOf(Unavailable)).to.have.all.keys('code');
  });

  it('shows no authentication problem where credentials are not checked', () => {
    expect(document.paths['/sign-in'].post.responses).not.to.have.any.keys('401', '403');
    expect(document.paths['/things'].get.responses).to.have.any.keys('401');
  });

  it('lists the codes of all problems of the installation', () => {
    const own = [{ id: 'demo', summary: 'Things', routes: things, problems: [Clash] }];
    const { components } = createApiDescription({
      basePath: '/api/v1',
      version: '1',
      plugins: own,
    }).document() as any;
    expect(components.schemas.Problem.properties.code.enum).to.include.members(['thing_exists', 'not_ready']);
  });

  describe('examples', () => {
    const exampleOf = (body: TSchema, own: object = {}): unknown => {
      const one = route({
        method: 'POST',
        path: '/examples',
        operationId: 'example',
        summary: 'Has an example',
        access: 'public',
        body,
        answers: MessageAnswer,
        ...own,
        handle: () => ({ message: '' }),
      });
      return documentOf([one]).paths['/examples'].post.requestBody.content['application/json'].example;
    };

    it('are made of those of the fields, optional ones only when they have one', () => {
      const body = Type.Object({
        name: Type.String({ examples: ['Ada'] }),
        size: Type.Integer({ default: 3 }),
        kind: Type.Enum(['one', 'two']),
        parent_id: Type.String(),
        nothing: Type.Null(),
        tags: Type.Array(Type.String({ examples: ['red'] })),
        note: Type.Optional(Type.String()),
        label: Type.Optional(Type.String({ examples: ['new'] })),
      });
      expect(exampleOf(body)).to.deep.equal({
        name: 'Ada',
        size: 3,
        kind: 'one',
        parent_id: '01890a5d-ac96-774b-bcce-b302099a8057',
        nothing: null,
        tags: ['red'],
        label: 'new',
      });
    });

    it('are those of the whole schema, or of the route, where they are given', () => {
      const body = Type.Object({ name: Type.String({ examples: ['Ada'] }) }, { examples: [{ name: 'Eve' }] });
      expect(exampleOf(body)).to.deep.equal({ name: 'Eve' });
      expect(exampleOf(body, { example: { body: { name: 'Joe' } } })).to.deep.equal({ name: 'Joe' });
    });

    it('are absent where a string has none', () => {
      expect(exampleOf(Type.Object({ name: Type.String() }))).to.equal(undefined);
    });

    it('leave a field that is named "examples" in the schema', () => {
      const text = JSON.stringify(documentOf([noted]).paths['/noted'].get.responses[200]);
      expect(text)
        .to.contain('"properties":{"examples":{"type":"string"}}')
        .and.not.to.contain('"examples":[');
    });
  });

  it('is refused when one name means two schemas', () => {
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

import { expect } from 'chai';
import Type from 'typebox';
import { problem } from '../../../core/errors/problem.ts';
import { StoreUnavailable } from '../../../core/errors/core-problems.ts';
import { reply, replyBytes, routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { UniqueViolation } from '../../../core/persistence/violations.ts';
import { startServer, type TestServer } from './support.ts';

const Taken = problem({
  code: 'name_taken',
  status: 409,
  title: 'The name is taken',
  description: 'Choose another.',
});
const SECRET = 'planted-internal-detail';

const route = routesWith({});
const failing = (operationId: string, fail: () => never | Promise<never>) =>
  route({
    method: 'GET',
    path: `/${operationId}`,
    operationId,
    summary: operationId,
    access: 'public',
    answers: jsonObject(),
    handle: fail,
  });

const thrower = (error: unknown) => () => {
  throw error;
};

const routes = [
  failing(
    'taken',
    thrower(Taken('The name "x" is taken.', { headers: { 'X-Why': 'y' }, members: { hint: 1, status: 7 } })),
  ),
  failing('sync', thrower(new Error(SECRET))),
  failing('async', () => Promise.reject(new Error(SECRET))),
  failing('text', thrower(SECRET)),
  failing('nothing', thrower(undefined)),
  failing('violation', thrower(new UniqueViolation(SECRET, { table: SECRET }))),
  failing('caused', thrower(StoreUnavailable('The database is away.', { cause: new Error(SECRET) }))),
  failing('status', thrower(Object.assign(new Error(SECRET), { status: 418, expose: true }))),
  route({
    method: 'GET',
    path: '/header',
    operationId: 'header',
    summary: 'Sets a header that cannot be sent',
    access: 'public',
    answers: jsonObject(),
    handle: () => reply({}, { headers: { 'X-Bad': `a\r\nSet-Cookie: ${SECRET}` } }),
  }),
  route({
    method: 'GET',
    path: '/undefined',
    operationId: 'undefined',
    summary: 'Answers nothing',
    access: 'public',
    answers: Type.Object({ a: Type.String() }),
    handle: () => undefined as never,
  }),
  route({
    method: 'GET',
    path: '/reply',
    operationId: 'reply',
    summary: 'Answers with status and headers',
    access: 'public',
    answers: Type.Object({ a: Type.Integer() }),
    handle: () =>
      reply({ a: 1, b: 2 }, { status: 202, headers: { Location: '/x', 'Cache-Control': 'no-cache' } }),
  }),
  route({
    method: 'GET',
    path: '/bytes',
    operationId: 'bytes',
    summary: 'Answers remembered bytes',
    access: 'public',
    answers: Type.Object({ a: Type.Integer() }),
    handle: () => replyBytes('{"a":1}', { headers: { ETag: '"1"' } }),
  }),
];

describe('answers', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes)));
  after(() => server.close());

  const ask = (path: string) => server.request('GET', path);

  it('are problem documents when a declared problem is thrown', async () => {
    const answer = await ask('/taken');
    expect(answer.headers.get('content-type')).to.equal('application/problem+json');
    expect(answer.headers.get('x-why')).to.equal('y');
    expect(answer.body).to.deep.equal({
      hint: 1,
      type: 'urn:vitrine:problem:name_taken',
      title: 'The name is taken',
      status: 409,
      detail: 'The name "x" is taken.',
      instance: '/api/v1/taken',
      code: 'name_taken',
      request_id: answer.headers.get('x-request-id'),
    });
  });

  for (const path of [
    '/sync',
    '/async',
    '/text',
    '/nothing',
    '/violation',
    '/status',
    '/header',
    '/undefined',
  ]) {
    it(`are a 500 without internals at ${path}`, async () => {
      const answer = await ask(path);
      expect(answer.status).to.equal(500);
      expect(answer.body.code).to.equal('internal_error');
      expect(answer.text + JSON.stringify([...answer.headers])).not.to.contain(SECRET);
    });
  }

  it('leave the cause of a 500 in the log, with the plugin and the request id', async () => {
    const answer = await ask('/sync');
    const line = server.lines.find(
      ({ level, request_id: id }) => level === 'error' && id === answer.body.request_id,
    );
    expect(line).to.include({ plugin: 'demo', route: '/api/v1/sync' });
    expect((line!.err as Error).message).to.equal(SECRET);
  });

  it('are a 503 with Retry-After, and without its cause, when the store is away', async () => {
    const answer = await ask('/caused');
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.equal('1');
    expect(answer.text).not.to.contain(SECRET);
  });

  it('leave the query out of the instance', async () => {
    expect((await ask('/nowhere?token=abc')).body.instance).to.equal('/api/v1/nowhere');
  });

  it('have the status and headers of a reply, and are cut to the schema', async () => {
    const answer = await ask('/reply');
    expect(answer.status).to.equal(202);
    expect(answer.headers.get('location')).to.equal('/x');
    expect(answer.headers.get('cache-control')).to.equal('no-cache');
    expect(answer.body).to.deep.equal({ a: 1 });
  });

  it('are bytes as they are when the handler made them', async () => {
    const answer = await ask('/bytes');
    expect(answer.text).to.equal('{"a":1}');
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
  });

  for (const path of ['/bytes', '/taken', '/nowhere', '/sync']) {
    it(`carry the security headers at ${path}`, async () => {
      const { headers } = await ask(path);
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('content-security-policy')).to.equal("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-powered-by')).to.equal(null);
    });
  }
});

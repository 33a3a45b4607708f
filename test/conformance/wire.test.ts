import { expect } from 'chai';
import { conformance, UNKNOWN_ID } from './support/api.ts';

/** Every operation of the interface: method, path and who may ask. */
const OPERATIONS = [
  ['GET', '/algorithms', 'all'],
  ['POST', '/algorithms', 'admin'],
  ['GET', '/algorithms/{algorithm_id}', 'all'],
  ['PUT', '/algorithms/{algorithm_id}', 'user'],
  ['DELETE', '/algorithms/{algorithm_id}', 'user'],
  ['GET', '/algorithms/{algorithm_id}/versions', 'all'],
  ['POST', '/algorithms/{algorithm_id}/versions', 'user'],
  ['GET', '/algorithms/{algorithm_id}/versions/{version_id}', 'all'],
  ['PUT', '/algorithms/{algorithm_id}/versions/{version_id}', 'user'],
  ['DELETE', '/algorithms/{algorithm_id}/versions/{version_id}', 'user'],
  ['POST', '/algorithms/call', 'user'],
  ['GET', '/algorithms/calls/{call_id}', 'user'],
  ['POST', '/gateway/call', 'user'],
  ['GET', '/gateway/stats', 'user'],
  ['POST', '/users/register', 'all'],
  ['POST', '/users/login', 'all'],
  ['GET', '/users/me', 'user'],
  ['GET', '/api-keys', 'user'],
  ['POST', '/api-keys', 'user'],
  ['DELETE', '/api-keys/{key_id}', 'user'],
  ['POST', '/llm/generate-data', 'user'],
  ['POST', '/llm/describe-image', 'user'],
  ['GET', '/history/user-calls', 'user'],
  ['GET', '/history/statistics', 'user'],
  ['GET', '/monitoring/health', 'user'],
  ['GET', '/monitoring/performance/algorithm/{algorithm_id}', 'user'],
  ['GET', '/health', 'all'],
  ['POST', '/permissions/check', 'user'],
  ['GET', '/repositories', 'user'],
  ['GET', '/repositories/{repo_id}', 'user'],
  ['POST', '/repositories', 'admin'],
  ['PUT', '/repositories/{repo_id}', 'admin'],
  ['DELETE', '/repositories/{repo_id}', 'admin'],
  ['GET', '/repohost/config', 'admin'],
  ['POST', '/repohost/config', 'admin'],
  ['POST', '/repohost/repos/create', 'admin'],
  ['PATCH', '/repohost/repos/update', 'admin'],
] as const;

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, DescribedSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
  };
}
interface DescribedOperation {
  readonly parameters?: readonly (Parameter & { readonly $ref?: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, DescribedMedia>> };
}
interface DescribedMedia {
  readonly schema: DescribedSchema;
  readonly example: Readonly<Record<string, unknown>>;
}
interface DescribedSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
  readonly required?: readonly string[];
  readonly pattern?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string; readonly maximum?: number };
}

conformance('the wire', (api) => {
  const edges = { name: 'Edges', description: 'Finds edges.', type: 'cv' };
  const post = (body: unknown, headers: Record<string, string> = {}) => ({ as: 'admin', body, headers });

  describe('every operation', () => {
    it('shows an example that fits where a pattern or an address is to be sent', async () => {
      const { paths, components } = (await api.vitrine.request('GET', '/openapi.json')).body as Described;
      const fields = Object.values(paths)
        .flatMap((item) => Object.values(item))
        .flatMap(({ requestBody }) => requestBody?.content['application/json'] ?? [])
        .flatMap(({ schema, example }) => {
          const named = schema.$ref ? components.schemas[schema.$ref.split('/').at(-1)!]! : schema;
          return Object.entries(named.properties ?? {})
            .filter(([name]) => name in example || named.required?.includes(name))
            .map(([name, { pattern }]) => ({ name, pattern, value: example[name] }));
        })
        .filter(({ name, pattern }) => pattern !== undefined || name.endsWith('url'));
      expect(fields.length).to.be.at.least(15);
      for (const { name, pattern = '', value } of fields) {
        expect(value, name).to.match(new RegExp(pattern, 'u'));
      }
    });

    it('is in the OpenAPI document under the path of the interface', () => {
      const wanted = OPERATIONS.map(([method, path]) => `${method} ${path}`);
      expect(wanted).to.have.length(37);
      expect(api.document.operations).to.include.members(wanted);
    });

    for (const [method, template, who] of OPERATIONS) {
      const path = template.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
      const body = method === 'GET' || method === 'DELETE' ? {} : { body: {} };

      it(`${method} ${template} is for ${who}`, async () => {
        const anonymous = await api.ask(method, path, body);
        if (who === 'all') expect([200, 404, 422]).to.include(anonymous.status);
        else expect(anonymous.status).to.equal(401);
        const user = await api.ask(method, path, { as: 'ann', ...body });
        if (who === 'admin') expect(user.status).to.equal(403);
        else expect([401, 403]).to.not.include(user.status);
      });

      it(`${method} ${template} has an answer to other methods`, async () => {
        const { status, headers } = await api.ask('OPTIONS', path);
        expect(status).to.equal(405);
        expect(headers['allow']?.split(', ')).to.include(method);
      });
    }
  });

  describe('a request', () => {
    for (const [what, body, status, code] of [
      ['that is not JSON', '{"name":', 400, 'malformed_json'],
      ['with single quotes', "{'name':'x'}", 400, 'malformed_json'],
      ['with nothing in it', '', 400, 'malformed_json'],
      ['that is an array', '[]', 422, 'validation_failed'],
      ['that is null', 'null', 422, 'validation_failed'],
      ['that is a text', '"text"', 422, 'validation_failed'],
      ['with a key twice', '{"name":"a","name":"b"}', 400, 'forbidden_key'],
      ['with __proto__', '{"__proto__":{"role":"admin"}}', 400, 'forbidden_key'],
      ['of 65 levels', `{"x":${'['.repeat(64)}${']'.repeat(64)}}`, 400, 'too_deep'],
      ['of more than 1 MiB', JSON.stringify({ name: 'x'.repeat(2 ** 20) }), 413, 'payload_too_large'],
    ] as const) {
      it(`${what} is ${status} ${code}`, async () => {
        expect(await api.refused(status, 'POST', '/algorithms', post(body))).to.include({ code });
      });
    }

    it('of 64 levels is read', async () => {
      const body = `{"x":${'['.repeat(63)}${']'.repeat(63)}}`;
      expect(await api.pointers('POST', '/algorithms', post(body))).to.include('/body/name');
    });

    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      it(`of ${type} is 415`, () =>
        api.refused(415, 'POST', '/algorithms', post(JSON.stringify(edges), { 'content-type': type })));
    }

    it('of application/json with a charset is read', () =>
      api.ok(
        'POST',
        '/algorithms',
        post(JSON.stringify(edges), { 'content-type': 'Application/JSON; charset=UTF-8' }),
      ));

    it('that is compressed is 415', () =>
      api.refused(415, 'POST', '/algorithms', post(JSON.stringify(edges), { 'content-encoding': 'gzip' })));

    it('with bad credentials is 401 where anybody is welcome too', () =>
      api.refused(401, 'GET', '/algorithms', { token: 'nonsense' }));

    it('with a trailing slash finds the same', async () => {
      expect(await api.ok('GET', '/algorithms/')).to.have.keys('algorithms', 'total');
    });

    it('of a path that nothing is served at is 404', async () => {
      expect(await api.refused(404, 'GET', '/nothing')).to.include({ code: 'route_not_found' });
      expect(await api.refused(404, 'GET', '/ALGORITHMS')).to.include({ code: 'route_not_found' });
    });

    it('with a number in its query that no database would take is 422, and with the largest that may be is not', async () => {
      const { paths, components } = (await api.vitrine.request('GET', '/openapi.json')).body as Described;
      const parameters = Object.entries(paths).flatMap(([path, { get }]) =>
        (get?.parameters ?? [])
          .map((one) => (one.$ref ? components.parameters[one.$ref.split('/').at(-1)!]! : one))
          .filter(({ in: place, schema }) => place === 'query' && schema.type === 'integer')
          .map(({ name, schema }) => ({ path: path.replaceAll(/\{\w+\}/g, UNKNOWN_ID), name, schema })),
      );
      expect(parameters.length).to.be.at.least(17);
      for (const { path, name, schema } of parameters) {
        for (const value of ['1e19', '1e300', '-1e19', '9223372036854775808', schema.maximum! + 1]) {
          const pointers = await api.pointers('GET', `${path}?${name}=${value}`, { as: 'admin' });
          expect(pointers, `${path}?${name}=${value}`).to.deep.equal([`/query/${name}`]);
        }
        // Without its content, which a stream sends for as long as it was asked to.
        const { status } = await api.ask('HEAD', `${path}?${name}=${schema.maximum}`, { as: 'admin' });
        expect([200, 404, 422], `${path}?${name}=${schema.maximum}`).to.include(status);
      }
    });

    it('is refused before anything changes', async () => {
      const before = await api.ok('GET', '/algorithms');
      await api.refused(422, 'POST', '/algorithms', post({ ...edges, status: 'broken' }));
      expect(await api.ok('GET', '/algorithms')).to.deep.equal(before);
    });
  });

  describe('an answer', () => {
    it('names each wrong value by a pointer, a sentence each', async () => {
      const problem = await api.refused(422, 'POST', '/algorithms', post({ name: 1, type: 'x' }));
      expect(problem).to.include({ code: 'validation_failed', status: 422, instance: '/api/v1/algorithms' });
      expect(problem.errors).to.deep.include({ pointer: '/body/description', message: 'is required.' });
    });

    it('says in words what a pattern means, and does not show the pattern', async () => {
      const body = { username: 'a b', email: 'nobody', password: 'long enough' };
      const { errors } = await api.refused(422, 'POST', '/users/register', { body });
      const messages = errors.map((error: { message: string }) => error.message).join('\n');
      expect(messages).to.include('Letters, digits').and.include('An e-mail address');
      expect(messages).to.not.include('\\p{');
      const blank = await api.refused(422, 'POST', '/algorithms', post({ ...edges, name: '  ' }));
      expect(blank.errors).to.deep.equal([{ pointer: '/body/name', message: 'must not be blank.' }]);
    });

    it('carries the request id that was sent', async () => {
      const { headers } = await api.ask('GET', '/health', { headers: { 'x-request-id': 'my-request.1' } });
      expect(headers['x-request-id']).to.equal('my-request.1');
    });

    it('carries one of its own for an id that is too long or odd', async () => {
      for (const id of ['x'.repeat(500), 'a b<c>"d"']) {
        const { headers } = await api.ask('GET', '/health', { headers: { 'x-request-id': id } });
        expect(headers['x-request-id'])
          .to.match(/^[\w.-]{1,128}$/)
          .and.not.equal(id);
      }
    });

    it('to a signed-in caller must not be cached, whatever it contains', async () => {
      const { headers } = await api.ask('GET', '/openapi.json', { as: 'ann' });
      expect(headers['cache-control']).to.equal('no-store');
    });

    it('to HEAD is that to GET without its body', async () => {
      const get = await api.ask('GET', '/algorithms');
      const head = await api.ask('HEAD', '/algorithms');
      expect(head.status).to.equal(200);
      expect(head.body).to.equal('');
      expect(head.headers['content-length']).to.equal(get.headers['content-length']);
      expect(head.headers['content-type']).to.equal('application/json; charset=utf-8');
    });

    it('has no CORS headers until that is configured', async () => {
      const { headers } = await api.ask('GET', '/algorithms', { headers: { origin: 'https://example.org' } });
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    });

    it('has a policy that lets pages load from here alone', async () => {
      const page = await api.vitrine.request('GET', `${api.vitrine.rootUrl}/docs`);
      expect(page.headers['content-security-policy']).to.match(/default-src 'none'/);
      expect(page.headers['content-security-policy']).to.not.match(/unsafe|\*/);
    });
  });
});

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { conformance, DATE_TIME, ID, UNKNOWN_ID } from './support/api.ts';

/** An endpoint that answers each path in another way. */
function startOddEndpoint(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const json = (text: string, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    switch (request.url ?? '') {
      case '/list':
        return void json('[1,2]');
      case '/png':
        return void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([137, 80]));
      case '/broken':
        return void json('{"half":');
      case '/rejects':
        return void json('{"error":"no such model"}', 400);
      case '/fails':
        return void json('{}', 500);
      case '/moves':
        return void response.writeHead(302, { location: '/list' }).end();
      case '/sleeps':
        return;
      default:
        return void json('{"label":"cat"}');
    }
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
    ),
  );
}

const IMPATIENT = () => ({ settings: { invocation: { timeout_ms: 1_500 } } });

conformance(
  'calls',
  (api) => {
    let odd: Awaited<ReturnType<typeof startOddEndpoint>>;
    before(async () => (odd = await startOddEndpoint()));
    after(() => {
      odd.server.closeAllConnections();
      odd.server.close();
    });

    describe('POST /algorithms/call', () => {
      it('answers the record of the call', async () => {
        const callable = await api.callable({ url: odd.url });
        const record = await api.call('ann', { ...callable, params: { size: 3 } });
        expect(record).to.deep.include({
          ...callable,
          status: 'success',
          user_id: (await api.person('ann')).id,
          params: { size: 3 },
          output_data: { label: 'cat' },
          error_message: null,
          error_code: null,
        });
        expect(record.id).to.match(ID);
        expect(record.created_at).to.match(DATE_TIME);
        expect(record.updated_at).to.match(DATE_TIME);
      });

      it('measures the time of the endpoint in seconds', async () => {
        const callable = await api.callable({ url: odd.url });
        const began = performance.now();
        const { response_time } = await api.call('ann', callable);
        expect(response_time)
          .to.be.greaterThan(0)
          .and.lessThan((performance.now() - began) / 1000);
      });

      it('keeps the parameters as they were sent, and sends the endpoint their defaults too', async () => {
        const params = { size: { type: 'integer', default: 7, min: 1, max: 9 }, name: { type: 'string' } };
        const record = await api.call('ann', { ...(await api.callable({ params })), params: { name: 'x' } });
        expect(record.params).to.deep.equal({ name: 'x' });
        expect(api.upstream.requests.at(-1)?.body.params).to.deep.equal({ size: 7, name: 'x' });
      });

      it('has no need of parameters', async () => {
        const record = await api.call('ann', await api.callable());
        expect(record.params).to.deep.equal({});
      });

      it('echoes input of every kind as it was sent', async () => {
        const input_data = {
          text: '日本 🙂',
          n: -1.5e-7,
          deep: { list: [null, true, { '': [] }] },
          empty: {},
        };
        const record = await api.call('ann', { ...(await api.callable()), input_data });
        expect(record.input_data).to.deep.equal(input_data);
        expect(record.output_data.echo.input_data).to.deep.equal(input_data);
      });

      it('sends the endpoint input and parameters alone, the ids, and no credentials', async () => {
        const callable = await api.callable();
        const headers = {
          'x-request-id': 'conformance-1',
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        };
        const record = await api.ok('POST', '/algorithms/call', { as: 'ann', body: callable, headers });
        const asked = api.upstream.requests.at(-1)!;
        expect(asked.method).to.equal('POST');
        expect(asked.body).to.deep.equal({ input_data: callable.input_data, params: {} });
        expect(asked.headers).to.include({ 'x-call-id': record.id, 'x-request-id': 'conformance-1' });
        expect(asked.headers['traceparent']).to.match(
          /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/,
        );
        expect(asked.headers).to.not.have.any.keys('authorization', 'x-api-key', 'cookie');
      });

      it('is heard as a list: the result is wrapped', async () => {
        const record = await api.call('ann', await api.callable({ url: `${odd.url}/list` }));
        expect(record.output_data).to.deep.equal({ result: [1, 2] });
      });

      it('is heard as a picture: the bytes are in base64', async () => {
        const record = await api.call('ann', await api.callable({ url: `${odd.url}/png` }));
        expect(record.output_data).to.deep.equal({ content_type: 'image/png', data_base64: 'iVA=' });
      });

      for (const [error_code, path] of [
        ['upstream_unreachable', undefined],
        ['upstream_timeout', '/sleeps'],
        ['upstream_rejected', '/rejects'],
        ['upstream_error', '/fails'],
        ['upstream_bad_response', '/broken'],
        ['upstream_bad_response', '/moves'],
      ] as const) {
        it(`is recorded as failed, ${error_code}, by an endpoint at ${path ?? 'a closed port'}`, async () => {
          const url = path ? odd.url + path : 'http://127.0.0.1:9/';
          const record = await api.call('ann', await api.callable({ url }));
          expect(record).to.include({ status: 'failed', error_code, output_data: null });
          expect(record.error_message).to.be.a('string').and.not.equal('');
          expect(await api.ok('GET', `/algorithms/calls/${record.id}`, { as: 'ann' })).to.deep.equal(record);
        });
      }

      it('is recorded as failed, output_invalid, when the output breaks its schema', async () => {
        const version = { url: odd.url, output_schema: { type: 'object', required: ['boxes'] } };
        const record = await api.call('ann', await api.callable(version));
        expect(record).to.include({ status: 'failed', error_code: 'output_invalid', output_data: null });
        expect(record.error_message).to.include('boxes');
      });

      describe('is refused, and nothing is recorded,', () => {
        const total = async () => (await api.ok('GET', '/history/user-calls', { as: 'rea' })).total;
        const isRefused = async (status: number, body: object) => {
          const before = await total();
          const problem = await api.refused(status, 'POST', '/algorithms/call', { as: 'rea', body });
          expect(await total()).to.equal(before);
          return problem;
        };

        it('without token', async () => {
          await api.refused(401, 'POST', '/algorithms/call', { body: await api.callable() });
        });

        it('for an unknown algorithm or version', async () => {
          const callable = await api.callable();
          const other = await api.callable();
          await isRefused(404, { ...callable, algorithm_id: UNKNOWN_ID });
          await isRefused(404, { ...callable, version_id: UNKNOWN_ID });
          await isRefused(404, { ...callable, version_id: 'latest' });
          await isRefused(404, { ...callable, version_id: other.version_id });
        });

        it('for an inactive algorithm', async () => {
          await isRefused(409, await api.callable({}, { status: 'inactive' }));
        });

        it('for a restricted algorithm', async () => {
          await isRefused(403, await api.callable({}, { access: 'restricted' }));
        });

        it('for an inactive and restricted one by its state first', async () => {
          await isRefused(409, await api.callable({}, { status: 'inactive', access: 'restricted' }));
        });

        it('for a restricted one by the permission before the input', async () => {
          const callable = await api.callable(
            { input_schema: { type: 'object', required: ['text'] } },
            { access: 'restricted' },
          );
          await isRefused(403, callable);
        });

        it('for parameters that break their bounds', async () => {
          const params = { n: { type: 'integer', min: 1, max: 9 } };
          const problem = await isRefused(422, { ...(await api.callable({ params })), params: { n: 10 } });
          expect(problem.errors[0].pointer).to.equal('/body/params/n');
        });

        it('for input that breaks its schema', async () => {
          const input_schema = { type: 'object', properties: { text: { type: 'string' } } };
          const callable = await api.callable({ input_schema });
          const problem = await isRefused(422, { ...callable, input_data: { text: 1 } });
          expect(problem.errors[0].pointer).to.equal('/body/input_data/text');
        });

        it('for a body without its fields', async () => {
          const pointers = await api.pointers('POST', '/algorithms/call', { as: 'rea', body: {} });
          expect(pointers).to.have.members(['/body/algorithm_id', '/body/version_id', '/body/input_data']);
          const body = { ...(await api.callable()), input_data: 'text' };
          expect(await api.pointers('POST', '/algorithms/call', { as: 'rea', body })).to.deep.equal([
            '/body/input_data',
          ]);
        });
      });

      it('is answered with Deprecation for a deprecated algorithm', async () => {
        const callable = await api.callable({}, { status: 'deprecated' });
        const answer = await api.ask('POST', '/algorithms/call', { as: 'ann', body: callable });
        expect(answer.status).to.equal(200);
        expect(answer.headers).to.have.property('deprecation');
      });

      it('takes a body of more than 1 MiB, and refuses one of more than 8', async () => {
        const callable = await api.callable();
        const sized = (bytes: number) => ({ ...callable, input_data: { text: 'x'.repeat(bytes) } });
        expect(await api.call('ann', sized(2 ** 20 + 1))).to.include({ status: 'success' });
        const ask = { as: 'ann', body: sized(8 * 2 ** 20) };
        await api.refused(413, 'POST', '/algorithms/call', ask);
      });
    });

    describe('GET /algorithms/calls/{call_id}', () => {
      it('answers the same record, to the caller and to administrators', async () => {
        const record = await api.call('ann', await api.callable());
        for (const as of ['ann', 'admin']) {
          expect(await api.ok('GET', `/algorithms/calls/${record.id}`, { as })).to.deep.equal(record);
        }
      });

      it('does not exist for other accounts, even those that manage the algorithm', async () => {
        const callable = await api.callable();
        const record = await api.call('ann', callable);
        const body = {
          algorithm_id: callable.algorithm_id,
          user_id: (await api.person('mia')).id,
          permission_type: 'manage',
        };
        await api.ok('POST', '/permissions/grants', { as: 'admin', body });
        await api.refused(404, 'GET', `/algorithms/calls/${record.id}`, { as: 'mia' });
        await api.refused(401, 'GET', `/algorithms/calls/${record.id}`);
      });

      it('answers alike for a hidden and an unknown record', async () => {
        const record = await api.call('ann', await api.callable());
        const hidden = await api.refused(404, 'GET', `/algorithms/calls/${record.id}`, { as: 'ben' });
        const unknown = await api.refused(404, 'GET', `/algorithms/calls/${UNKNOWN_ID}`, { as: 'ben' });
        const blank = ({ detail, title, code }: Record<string, string>) => ({
          title,
          code,
          detail: detail?.replaceAll(/[0-9a-f-]{36}/g, '…'),
        });
        expect(blank(hidden)).to.deep.equal(blank(unknown));
      });
    });
  },
  IMPATIENT,
);

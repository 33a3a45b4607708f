import { expect } from 'chai';
import { onEveryEngine, type TestResponse } from '../../../core/testing.ts';
import { startUpstream } from '../../support/upstream.ts';
import { queueLimit } from './queue-limit.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

const PATHS = ['/gateway/call', '/algorithms/call'];

onEveryEngine((engine) => {
  for (const path of PATHS) {
    describe(`the controls of the gateway at ${path}`, () => {
      let status = 200;
      /** Called for each request to the endpoint, which answers when the result resolves. */
      let hold = async (): Promise<void> => undefined;
      let gateway: GatewayUnderTest;
      before(async () => {
        const upstream = await startUpstream(async (_request, response) => {
          await hold();
          if (status !== 200) response.writeHead(status).end();
          return {};
        });
        gateway = await startGateway(engine, {
          upstream,
          gateway: {
            rate_limit: 2,
            concurrency: 1,
            breaker_failures: 1,
            breaker_open_ms: 60_000,
          },
          services: [queueLimit(0)],
        });
      });
      beforeEach(async () => {
        status = 200;
        hold = async () => undefined;
        await gateway.renew();
      });
      after(() => gateway.stop());

      const call = (more: object = {}): Promise<TestResponse> =>
        gateway.request('POST', path, { token: gateway.caller.token, body: gateway.body(more) });

      it('take `default` for the default version of the algorithm', async () => {
        const { status, body } = await call({ version_id: 'default' });
        expect(status).to.equal(200);
        expect(body.version_id).to.equal(gateway.target.version_id);
      });

      it('report the limit and what is left of it', async () => {
        const { headers } = await call();
        expect(headers['ratelimit-policy']).to.equal('"user";q=2;w=60');
        expect(headers['ratelimit']).to.match(/^"user";r=1;t=\d{1,2}$/);
      });

      it('answer 429 beyond the rate limit, with when to try again', async () => {
        await call();
        await call();
        const { status, body, headers } = await call();
        expect([status, body.code]).to.deep.equal([429, 'rate_limited']);
        expect(headers['ratelimit']).to.equal(`"user";r=0;t=${headers['retry-after']}`);
        expect(headers['ratelimit-policy']).to.equal('"user";q=2;w=60');
      });

      it('answer 429 to a caller whose limit is used up before anything is checked', async () => {
        await call();
        await call();
        expect((await call({ version_id: 'none' })).status).to.equal(429);
      });

      it('answer 403 to a blocked user or network, and for a blocked algorithm', async () => {
        for (const [subject, value] of [
          ['user', gateway.caller.id],
          ['network', '127.0.0.0/8'],
          ['algorithm', gateway.target.algorithm_id],
        ]) {
          const fields = { subject, value, reason: 'Enough.' };
          const { id } = await gateway.manage('POST', '/gateway/blocks', fields);
          const { status, body } = await call();
          expect([status, body.code, body.block_id]).to.deep.equal([403, 'blocked', id]);
          await gateway.manage('DELETE', `/gateway/blocks/${id}`);
        }
        expect((await call()).status).to.equal(200);
      });

      it('answer 429 beyond the calls at once, and spend nothing of the rate limit then', async () => {
        let finish = (): void => undefined;
        const arrived = new Promise<void>((resolve) => {
          hold = () => {
            resolve();
            return new Promise((answer) => (finish = answer));
          };
        });
        const running = call();
        await arrived;
        const refused = await call();
        finish();
        await running;
        hold = async () => undefined;
        expect([refused.status, refused.body.code]).to.deep.equal([429, 'concurrency_limited']);
        expect(refused.headers['ratelimit']).to.match(/^"user";r=1;/);
        expect((await call()).status).to.equal(200);
      });

      it('open the circuit of an endpoint that fails', async () => {
        status = 500;
        expect((await call()).body.error_code).to.equal('upstream_error');
        expect((await call()).body.error_code).to.equal('circuit_open');
      });

      describe('spend nothing of the rate limit', () => {
        const refusals: readonly [string, number, () => Promise<object>][] = [
          ['an unknown algorithm', 404, async () => ({ algorithm_id: 'none' })],
          ['an unknown version', 404, async () => ({ version_id: 'none' })],
          [
            'an inactive algorithm',
            409,
            async () => {
              const other = await gateway.addAlgorithm();
              await gateway.manage('PUT', `/algorithms/${other.algorithm_id}`, { status: 'inactive' });
              return other;
            },
          ],
          ['a restricted algorithm', 403, () => gateway.addAlgorithm({ access: 'restricted' })],
          ['params of another type', 422, async () => ({ params: 7 })],
          [
            'input that breaks the schema',
            422,
            async () => {
              const { algorithm_id, version_id } = await gateway.addAlgorithm();
              const path = `/algorithms/${algorithm_id}/versions/${version_id}`;
              await gateway.manage('PUT', path, { input_schema: { required: ['text'] } });
              return { algorithm_id, version_id };
            },
          ],
        ];
        for (const [what, status, more] of refusals) {
          it(`on calls that are refused for ${what}`, async () => {
            const body = await more();
            for (let i = 0; i < 3; i++) expect((await call(body)).status).to.equal(status);
            const statuses = [];
            for (let i = 0; i < 3; i++) statuses.push((await call()).status);
            expect(statuses).to.deep.equal([200, 200, 429]);
          });
        }

        it('on calls of a blocked algorithm', async () => {
          const other = await gateway.addAlgorithm();
          const fields = { subject: 'algorithm', value: other.algorithm_id, reason: 'Enough.' };
          await gateway.manage('POST', '/gateway/blocks', fields);
          for (let i = 0; i < 3; i++) expect((await call(other)).status).to.equal(403);
          expect((await call()).headers['ratelimit']).to.match(/^"user";r=1;/);
        });
      });
    });
  }

  describe('the controls of the gateway with `guards: gateway`', () => {
    let gateway: GatewayUnderTest;
    before(async () => {
      gateway = await startGateway(engine, { gateway: { guards: 'gateway', rate_limit: 1 } });
    });
    after(() => gateway.stop());

    const call = (path: string) =>
      gateway.request('POST', path, { token: gateway.caller.token, body: gateway.body() });

    it('hold for /gateway/call', async () => {
      await call('/gateway/call');
      expect((await call('/gateway/call')).status).to.equal(429);
    });

    it('leave /algorithms/call alone', async () => {
      const fields = { subject: 'user', value: gateway.caller.id, reason: 'Enough.' };
      await gateway.manage('POST', '/gateway/blocks', fields);
      for (let i = 0; i < 3; i++) {
        const { status, headers } = await call('/algorithms/call');
        expect([status, headers['ratelimit']]).to.deep.equal([200, undefined]);
      }
      expect((await gateway.stats()).direct).to.include({ total_requests: 3, successful_requests: 3 });
    });
  });
});

import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startGateway, type GatewayUnderTest } from './support.ts';

onEveryEngine((engine) => {
  describe('POST /gateway/call', () => {
    let gateway: GatewayUnderTest;
    before(async () => {
      gateway = await startGateway(engine);
    });
    after(() => gateway.stop());

    it('answers the record of the call, as /algorithms/call does', async () => {
      const { status, body } = await gateway.call({ input_data: { n: 1 }, params: {} });
      expect(status).to.equal(200);
      expect(body).to.include({ status: 'success', user_id: gateway.caller.id, error_message: null });
      expect(body.output_data).to.deep.equal({ echo: { input_data: { n: 1 }, params: {} } });
    });

    it('stores the record, where its caller reads it', async () => {
      const { body } = await gateway.call();
      const read = await gateway.request('GET', `/algorithms/calls/${body.id}`, {
        token: gateway.caller.token,
      });
      expect(read.body).to.deep.equal(body);
    });

    it('reports the limit and what is left of it', async () => {
      const { headers } = await gateway.call();
      expect(headers['ratelimit-policy']).to.equal('"user";q=600;w=60');
      expect(headers['ratelimit']).to.match(/^"user";r=\d{3};t=\d{1,2}$/);
      expect(headers['x-call-id']).to.be.a('string');
    });

    it('reports them with a refusal of the call itself, too', async () => {
      const { status, headers, body } = await gateway.call({ version_id: 'none' });
      expect([status, body.code]).to.deep.equal([404, 'version_not_found']);
      expect(headers['ratelimit']).to.match(/^"user";r=\d{3};t=\d{1,2}$/);
    });

    it('needs credentials', async () => {
      const { status } = await gateway.request('POST', '/gateway/call', { body: gateway.body() });
      expect(status).to.equal(401);
    });

    it('accepts an API key', async () => {
      const key = await gateway.apiKey();
      const { status } = await gateway.request('POST', '/gateway/call', {
        headers: { 'x-api-key': key.key },
        body: gateway.body(),
      });
      expect(status).to.equal(200);
    });

    it('requires the grants of a restricted algorithm', async () => {
      const restricted = await gateway.addAlgorithm({ access: 'restricted' });
      const { status, body } = await gateway.call(restricted);
      expect([status, body.code]).to.deep.equal([403, 'forbidden']);
    });

    it('refuses a body that is not a call, and names the field', async () => {
      const { status, body } = await gateway.call({ input_data: 'text' });
      expect(status).to.equal(422);
      expect(body.errors[0].pointer).to.equal('/body/input_data');
    });
  });
});

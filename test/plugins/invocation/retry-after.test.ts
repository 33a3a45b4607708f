import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startStage, type Stage } from './support/stage.ts';

describe('An endpoint that asks to be called again later', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let status: number;
    let headers: Record<string, string>;
    before(async () => {
      stage = await startStage(engine, (_, response) => {
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end('{"message":"slow down"}');
      });
    });
    after(() => stage.stop());

    const callWith = async (answer: number, more: Record<string, string>) => {
      status = answer;
      headers = more;
      return (await stage.call(await stage.play())).body;
    };

    it('is heard by the caller when it refuses with 429', async () => {
      const body = await callWith(429, { 'Retry-After': '7' });
      expect(body).to.include({
        status: 'failed',
        error_code: 'upstream_rejected',
        error_message: 'The endpoint refused the call with status 429: slow down. Try again in 7 s.',
        retry_after: 7,
      });
    });

    it('is heard by the caller when it fails with 503', async () => {
      const body = await callWith(503, { 'Retry-After': '7' });
      expect(body).to.include({
        error_code: 'upstream_error',
        error_message:
          'The endpoint failed with status 503. Try again in 7 s, or tell a manager of the algorithm.',
        retry_after: 7,
      });
    });

    it('may name a date', async () => {
      const body = await callWith(503, {
        Date: 'Fri, 02 Jan 2026 00:00:00 GMT',
        'Retry-After': 'Fri, 02 Jan 2026 00:01:00 GMT',
      });
      expect(body.retry_after).to.equal(60);
    });

    it('is remembered in the record and in the history', async () => {
      const body = await callWith(429, { 'Retry-After': '7' });
      const token = stage.alice;
      const read = await stage.request('GET', `/algorithms/calls/${body.id}`, { token });
      const { history } = (await stage.request('GET', '/history/user-calls?limit=1', { token })).body;
      expect(read.body).to.deep.equal(body);
      expect(history).to.deep.equal([body]);
    });

    it('is believed within reason only', async () => {
      const body = await callWith(429, { 'Retry-After': '99999999999' });
      expect(body).not.to.have.property('retry_after');
      expect(body.error_message).to.match(/429: slow down$/);
    });

    it('is not heard when it answers with success', async () => {
      const body = await callWith(200, { 'Retry-After': '7' });
      expect(body.status).to.equal('success');
      expect(body).not.to.have.property('retry_after');
    });

    it('leaves other refusals as they are', async () => {
      const body = await callWith(429, {});
      expect(body).not.to.have.property('retry_after');
    });
  });
});

import { expect } from 'chai';
import { OutboundError, type Egress, type OutboundResponse } from '../../../core/index.ts';
import type { PreparedCall } from '../../../plugins/invocation/contract.ts';
import { createHttpTransport } from '../../../plugins/invocation/calling/http/http-transport.ts';

const call = {
  id: 'a-call',
  callable: { version: { url: 'http://models.lan/' } },
  context: { requestId: 'a-request', traceparent: '' },
  json: { input: '{}', params: '{}' },
} as PreparedCall;
const limits = { timeoutMs: 1000, maxOutputBytes: 1000, signal: new AbortController().signal };
const answer: OutboundResponse = { status: 204, headers: {}, body: Buffer.alloc(0) };

describe('The response time of a call', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
  });

  /** What a call takes whose endpoint ends it like this after a second. */
  const secondsUntil = async (end: () => OutboundResponse): Promise<number> => {
    const egress: Egress = {
      check: () => undefined,
      request: async () => {
        now += 1000;
        return end();
      },
      connect: () => Promise.reject(new Error('No call needs it.')),
    };
    const clock = { now: () => now, elapsed: () => now };
    return (await createHttpTransport({ egress, clock }).send(call, limits)).seconds;
  };

  it('is the time that the endpoint took', async () => {
    expect(await secondsUntil(() => answer)).to.equal(1);
  });

  it('is reported when the endpoint fails, too', async () => {
    const fail = (): never => {
      throw new OutboundError('timeout', 'It did not answer.');
    };
    expect(await secondsUntil(fail)).to.equal(1);
  });
});

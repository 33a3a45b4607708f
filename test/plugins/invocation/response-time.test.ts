import { expect } from 'chai';
import { OutboundError, type Egress, type OutboundResponse } from '../../../core/index.ts';
import type { PreparedCall } from '../../../plugins/invocation/contract.ts';
import { createHttpTransport } from '../../../plugins/invocation/calling/http-transport.ts';

const call = {
  id: 'a-call',
  callable: { version: { url: 'http://models.lan/' } },
  context: { requestId: 'a-request', traceparent: '' },
  json: { input: '{}', params: '{}' },
} as PreparedCall;
const limits = { timeoutMs: 1000, maxOutputBytes: 1000, signal: new AbortController().signal };
const answer: OutboundResponse = { status: 204, headers: {}, body: Buffer.alloc(0) };

describe('The response time of a call', () => {
  let now: number;
  beforeEach(() => {
    now = 0;
  });

  /** What a call takes that waits for two seconds, and the endpoint for one when it is asked. */
  const secondsWith = async (end: () => OutboundResponse, isAsked: boolean): Promise<number> => {
    const egress: Egress = {
      check: () => undefined,
      request: async ({ onBegin }) => {
        now += 2000;
        if (isAsked) onBegin?.();
        now += 1000;
        return end();
      },
    };
    const clock = { now: () => now, elapsed: () => now };
    return (await createHttpTransport({ egress, clock }).send(call, limits)).seconds;
  };

  it('begins when the endpoint is asked, not when it is decided to ask it', async () => {
    expect(await secondsWith(() => answer, true)).to.equal(1);
  });

  it('does so when the endpoint fails', async () => {
    const fail = (): never => {
      throw new OutboundError('timeout', 'It did not answer.');
    };
    expect(await secondsWith(fail, true)).to.equal(1);
  });

  it('is none when the endpoint was never asked', async () => {
    const fail = (): never => {
      throw new OutboundError('aborted', 'It was given up.');
    };
    expect(await secondsWith(fail, false)).to.equal(0);
  });
});

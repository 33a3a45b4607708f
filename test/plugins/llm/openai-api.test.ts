import { expect } from 'chai';
import type { LimitedRequest } from '../../../core/egress/egress.ts';
import { OpenAiApi } from '../../../plugins/llm/openai/api.ts';

describe('a request to the OpenAI-compatible API', () => {
  async function sentWith(settings: { base_url: string; api_key?: string }): Promise<LimitedRequest> {
    const sent: LimitedRequest[] = [];
    const backends = {
      check: () => undefined,
      request: (request: LimitedRequest) => {
        sent.push(request);
        return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}') });
      },
    };
    const api = new OpenAiApi(backends, { api_key: '', timeout_ms: 1_000, ...settings });
    await api.post({
      path: '/chat/completions',
      body: {},
      maxBytes: 10,
      signal: new AbortController().signal,
    });
    return sent[0]!;
  }

  for (const base_url of ['http://models.lan/v1', 'http://models.lan/v1/', 'http://models.lan/v1//']) {
    it(`goes to one address, whether it is configured as ${base_url} or otherwise`, async () => {
      expect((await sentWith({ base_url })).url).to.equal('http://models.lan/v1/chat/completions');
    });
  }

  it('carries the key as a bearer token', async () => {
    const { headers } = await sentWith({ base_url: 'http://models.lan/v1', api_key: 'k' });
    expect(headers).to.include({ authorization: 'Bearer k' });
  });

  it('carries no authorization where there is no key', async () => {
    const { headers } = await sentWith({ base_url: 'http://models.lan/v1' });
    expect(headers).to.not.have.property('authorization');
  });
});

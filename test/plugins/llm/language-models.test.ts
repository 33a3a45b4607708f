import { expect } from 'chai';
import { contribute, definePlugin } from '../../../core/index.ts';
import { builtInPlugins, startTestKernel, type TestKernel } from '../../../core/testing.ts';
import { LANGUAGE_MODELS, type ChatRequest, type LanguageModel } from '../../../plugins/llm/contract.ts';

const asked: ChatRequest[] = [];

const parrot: LanguageModel = {
  name: 'parrot',
  chat: (request) => {
    asked.push(request);
    return Promise.resolve({ text: request.messages.at(-1)!.content, model: 'parrot-1' });
  },
  vision: () => Promise.reject(new Error('Parrots do not see.')),
  image: () => Promise.reject(new Error('Parrots do not draw.')),
};

const parrots = definePlugin({
  id: 'parrots',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Says it again',
  requires: ['llm'],
  contributes: [contribute(LANGUAGE_MODELS, { deps: {}, create: () => parrot })],
});

async function startWith(llm: Record<string, unknown>): Promise<TestKernel> {
  const plugins = [...(await builtInPlugins(['users', 'llm'])), parrots];
  return startTestKernel({ engine: 'sqlite', plugins, settings: { llm } });
}

/** What stops the start; starts, and stops again, when nothing does. */
async function faultWith(llm: Record<string, unknown>): Promise<string> {
  try {
    await (await startWith(llm)).stop();
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('language models of other plugins', () => {
  it('answer when the setting names them', async () => {
    const kernel = await startWith({ backend: 'parrot' });
    const account = { username: 'ada', email: 'ada@example.org', password: 'correct horse battery' };
    await kernel.request('POST', '/users/register', { body: account });
    const { body: login } = await kernel.request('POST', '/users/login', { body: account });
    const { body } = await kernel.request('POST', '/llm/generate-data', {
      body: { prompt: 'Polly?' },
      token: login.access_token,
    });
    const { body: about } = await kernel.request('GET', '/llm');
    await kernel.stop();
    expect(body).to.deep.equal({ data: 'Polly?', type: 'text', model: 'parrot-1' });
    expect(about).to.deep.equal({ configured: true });
  });

  it('are told apart from the stand-in, before anybody signs in', async () => {
    const kernel = await startWith({});
    const { body } = await kernel.request('GET', '/llm');
    await kernel.stop();
    expect(body).to.deep.equal({ configured: false });
  });

  it('are not asked unless the setting names them', async () => {
    asked.length = 0;
    await (await startWith({})).stop();
    expect(asked).to.deep.equal([]);
  });

  it('stop the start when the setting names none of them, and the names that there are are listed', async () => {
    expect(await faultWith({ backend: 'cockatoo' })).to.match(/cockatoo.*"openai", "offline", "parrot"/s);
  });
});

describe('the settings of the OpenAI-compatible backend', () => {
  const faulty: Readonly<Record<string, { llm: Record<string, unknown>; names: string }>> = {
    'an address that is none': { llm: { base_url: 'localhost:11434' }, names: 'LLM_BASE_URL' },
    'an address of another scheme': { llm: { base_url: 'ftp://models.lan/v1' }, names: 'LLM_BASE_URL' },
    'an address with credentials': {
      llm: { base_url: 'http://me:secret@models.lan/v1', model: 'x' },
      names: 'LLM_BASE_URL',
    },
    'an address with a password alone': {
      llm: { base_url: 'http://:secret@models.lan/v1', model: 'x' },
      names: 'LLM_BASE_URL',
    },
    'no model': { llm: { base_url: 'http://models.lan/v1' }, names: 'LLM_MODEL' },
    'no address although it is chosen': { llm: { backend: 'openai', model: 'x' }, names: 'LLM_BASE_URL' },
  };

  for (const [what, { llm, names }] of Object.entries(faulty)) {
    it(`stop the start with ${what}`, async () => {
      expect(await faultWith(llm)).to.include(names);
    });
  }

  it('may name an address with a slash at its end', async () => {
    expect(await faultWith({ base_url: 'http://models.lan/v1/', model: 'x' })).to.equal('none');
  });

  it('are not looked at when another backend is chosen', async () => {
    expect(await faultWith({ backend: 'offline', base_url: 'nonsense' })).to.equal('none');
  });
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../../../core/index.ts';
import type { TestResponse } from '../../../core/testing.ts';
import { startFakeOpenAi, type FakeOpenAi } from '../../support/fake-openai.ts';
import type { OtherService } from '../../support/other-services.ts';
import { startVitrine, type SignedIn, type Vitrine } from '../../support/vitrine.ts';

/** A host of images under a test's control: path → what it answers. */
export interface ImageHost {
  readonly url: string;
  readonly asked: string[];
  answers: Record<string, { body: Buffer | string; type?: string; status?: number; location?: string }>;
  stop(): Promise<void>;
}

export async function startImageHost(): Promise<ImageHost> {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    host.asked.push(path);
    const {
      body,
      type = 'image/png',
      status = 200,
      location,
    } = host.answers[path] ?? { body: '', status: 404 };
    response.writeHead(status, { 'content-type': type, ...(location ? { location } : {}) }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host: ImageHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answers: {},
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return host;
}

/** The service with a fake language model behind it, and somebody who may ask. */
export interface Asking {
  readonly vitrine: Vitrine;
  readonly fake: FakeOpenAi;
  readonly images: ImageHost;
  readonly user: SignedIn;
  generate(body: unknown): Promise<TestResponse>;
  describe(imageUrl: unknown): Promise<TestResponse>;
  /** Forgets what was asked, and speaks OpenAI's own dialect again. */
  reset(): void;
  stop(): Promise<void>;
}

export interface AskingOptions {
  /** Leaves the language model unconfigured; images may then come from this machine all the same. */
  readonly offline?: boolean;
  /** Made in another way than the plugins make them. */
  readonly services?: readonly OtherService[];
}

/** `llm` are further settings of the plugin. */
export async function startAsking(
  engine: Engine,
  llm: Record<string, unknown> = {},
  { offline = false, services = [] }: AskingOptions = {},
): Promise<Asking> {
  const fake = await startFakeOpenAi();
  const images = await startImageHost();
  const models = { model: 'text-model', vision_model: 'vision-model', image_model: 'image-model' };
  const backend = offline ? {} : { base_url: fake.baseUrl, api_key: fake.apiKey, ...models };
  const vitrine = await startVitrine(engine, {
    plugins: ['users', 'catalogue', 'llm'],
    services,
    settings: {
      llm: { requests_per_minute: 100_000, ...backend, ...llm },
      egress: { allow: ['127.0.0.1'] },
      server: { shutdown_ms: 1000 },
    },
  });
  const user = await vitrine.user('ada');
  const { token } = user;
  return {
    vitrine,
    fake,
    images,
    user,
    generate: (body) => vitrine.request('POST', '/llm/generate-data', { body, token }),
    describe: (image_url) => vitrine.request('POST', '/llm/describe-image', { body: { image_url }, token }),
    reset: () => {
      Object.assign(fake, { dialect: {}, description: ['hello'], draws: Buffer.alloc(0) });
      fake.requests.length = 0;
      images.asked.length = 0;
      images.answers = {};
    },
    stop: async () => {
      await vitrine.stop();
      await fake.stop();
      await images.stop();
    },
  };
}

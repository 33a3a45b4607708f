import type { Engine } from '../../../core/index.ts';
import { builtInPlugins, startTestKernel, type Scratch, type TestKernel } from '../../../core/testing.ts';
import { RECORDER } from '../../../plugins/invocation/recording/recorder.ts';
import { recordAt } from '../../plugins/invocation/support/records.ts';

/** The calls were made over so many days before yesterday, so that they are of many months. */
const DAYS = 300;
const DAY_MS = 86_400_000;
/** Handed to the recorder at once; it stores them in batches of 500. */
const AT_ONCE = 2_000;
/** Has no divisor in common with the number of accounts, so that calls of all of them fail. */
const FAILED_EVERY = 23;

const FAILED = {
  status: 'failed',
  error_code: 'upstream_error',
  error_message: 'The endpoint failed with status 500.',
  output_data: null,
} as const;

/** An account with a token. */
export interface Resident {
  readonly id: string;
  readonly token: string;
}

/**
 * Starts an installation with the samples, two accounts, of which the first is the administrator, and as many calls of both
 * as asked for. The records go through the recorder, which stores all that follows from them, but no endpoint is called.
 */
export async function fillHouse(
  scratch: Scratch,
  { engine, calls, password }: { readonly engine: Engine; readonly calls: number; readonly password: string },
): Promise<{ readonly ada: Resident; readonly grace: Resident }> {
  const kernel = await startTestKernel({ engine, plugins: await builtInPlugins(), scratch });
  try {
    const ada = await register(kernel, 'ada', password);
    const grace = await register(kernel, 'grace', password);
    await recordCalls(kernel, [ada.id, ada.id, grace.id], calls);
    return { ada, grace };
  } finally {
    await kernel.stop();
  }
}

async function register(kernel: TestKernel, username: string, password: string): Promise<Resident> {
  const body = { username, email: `${username}@example.org`, password };
  const { id } = (await kernel.request('POST', '/users/register', { body })).body;
  const { access_token: token } = (await kernel.request('POST', '/users/login', { body })).body;
  return { id, token };
}

async function recordCalls(kernel: TestKernel, users: readonly string[], count: number): Promise<void> {
  const versions = await versionsOf(kernel);
  const began = Date.now() - (DAYS + 1) * DAY_MS;
  const recorder = kernel.get(RECORDER);
  for (let first = 0; first < count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, n) => first + n);
    await Promise.all(
      numbers.map((n) =>
        recorder.record(
          recordAt(new Date(began + (n * DAYS * DAY_MS) / count).toISOString(), {
            ...versions[n % versions.length]!,
            user_id: users[n % users.length]!,
            channel: n % 2 === 0 ? 'gateway' : 'direct',
            input_data: JSON.stringify({ n, text: `Ünïcode ${n}` }),
            ...(n % FAILED_EVERY === 0 && FAILED),
          }),
        ),
      ),
    );
  }
}

async function versionsOf(
  kernel: TestKernel,
): Promise<readonly { readonly algorithm_id: string; readonly version_id: string }[]> {
  const { algorithms } = (await kernel.request('GET', '/algorithms?limit=1000')).body;
  return Promise.all(
    algorithms.map(async ({ id }: { id: string }) => {
      const [version] = (await kernel.request('GET', `/algorithms/${id}/versions`)).body;
      return { algorithm_id: id, version_id: version.id };
    }),
  );
}

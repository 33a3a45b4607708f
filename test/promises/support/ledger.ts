import { expect } from 'chai';
import type { Scene } from './scene.ts';

type Known = Pick<Scene, 'read' | 'upstream'>;

interface Entry {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly input_data: { readonly channel: string };
}

/** All that the service and the endpoint know of the calls of a scene. */
export interface Ledger {
  readonly entries: readonly Entry[];
  /** Ids that the endpoint was asked with, as often as it was. */
  readonly asked: readonly string[];
  /** Ids that the endpoint was asked with and that have no record. */
  readonly unrecorded: readonly string[];
}

/**
 * Reads history, statistics and counters, and expects that they agree: every acknowledged call is there, sums are
 * those of the records, no endpoint was asked twice, and nothing is recorded that no endpoint was asked for,
 * except where the record says that nobody knows.
 */
export async function expectTrueLedger(scene: Known, acknowledged: readonly string[]): Promise<Ledger> {
  const entries = await wholeHistory(scene);
  const recorded = new Set(entries.map(({ id }) => id));
  const asked = scene.upstream.requests.map(({ headers }) => String(headers['x-call-id']));
  expect(
    acknowledged.filter((id) => !recorded.has(id)),
    'acknowledged and lost',
  ).to.deep.equal([]);
  expect(asked, 'asked twice').to.have.length(new Set(asked).size);
  const known = new Set(asked);
  expect(
    entries.filter(({ id, error_code }) => !known.has(id) && error_code !== 'interrupted'),
    'recorded, and never asked',
  ).to.deep.equal([]);
  await expectTrueSums(scene, entries);
  return { entries, asked, unrecorded: asked.filter((id) => !recorded.has(id)) };
}

async function expectTrueSums(scene: Known, entries: readonly Entry[]): Promise<void> {
  const counts = (of: readonly Entry[]): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const { status } of of) sums[status] = (sums[status] ?? 0) + 1;
    return sums;
  };
  const { id } = await scene.read('/users/me');
  const statistics = await scene.read(`/history/statistics?user_id=${id}`);
  expect(statistics.status_counts, 'statistics').to.deep.equal(counts(entries));
  expect(statistics.total_calls).to.equal(entries.length);
  const { success = 0, failed = 0 } = counts(
    entries.filter(({ input_data }) => input_data.channel === 'gateway'),
  );
  expect(await scene.read('/gateway/stats'), 'counters of the gateway').to.include({
    successful_requests: success,
    failed_requests: failed,
  });
}

async function wholeHistory(scene: Known): Promise<Entry[]> {
  const entries: Entry[] = [];
  let path: string | undefined = '/history/user-calls?limit=1000';
  while (path !== undefined) {
    const page = await scene.read(path);
    entries.push(...page.history);
    const cursor = page.next_cursor as string | null | undefined;
    path = cursor ? `/history/user-calls?limit=1000&cursor=${encodeURIComponent(cursor)}` : undefined;
  }
  expect(new Set(entries.map(({ id }) => id)).size, 'twice in history').to.equal(entries.length);
  return entries;
}

const AT_ONCE = 16;

/** Each acknowledged call, asked for by its id, is answered with 200. */
export async function expectEachFound(scene: Scene, acknowledged: readonly string[]): Promise<void> {
  const missing: string[] = [];
  const left = [...acknowledged];
  const ask = async (): Promise<void> => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const { status } = await scene.request('GET', `/algorithms/calls/${id}`, { token: scene.token });
      if (status !== 200) missing.push(`${id}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  expect(missing).to.deep.equal([]);
}

import { expect } from 'chai';
import { LRUCache } from 'lru-cache';

/** A cache as the services use it, and the reads that it has begun, each to be ended by the test. */
function readingCache() {
  const reads: ((value: string) => void)[] = [];
  const cache = new LRUCache<string, string>({
    max: 10,
    fetchMethod: () => new Promise((resolve) => reads.push(resolve)),
    ignoreFetchAbort: true,
  });
  return { cache, reads };
}

/** What the services rely on in `lru-cache`: a revocation holds although a read was under way. */
describe('a cache that is invalidated during a read', () => {
  for (const [what, invalidate] of [
    ['one key', (cache: LRUCache<string, string>) => void cache.delete('k')],
    ['all keys', (cache: LRUCache<string, string>) => cache.clear()],
  ] as const) {
    it(`does not keep what was read before: ${what}`, async () => {
      const { cache, reads } = readingCache();
      const before = cache.forceFetch('k');
      invalidate(cache);
      reads[0]!('old');
      expect([await before, cache.get('k')]).to.deep.equal(['old', undefined]);
    });

    it(`reads again for a later reader: ${what}`, async () => {
      const { cache, reads } = readingCache();
      const before = cache.forceFetch('k');
      invalidate(cache);
      const after = cache.forceFetch('k');
      reads[1]!('new');
      await after;
      reads[0]!('old');
      expect([await before, await after, cache.get('k')]).to.deep.equal(['old', 'new', 'new']);
    });
  }

  it('reads once for concurrent readers', async () => {
    const { cache, reads } = readingCache();
    const readers = [cache.forceFetch('k'), cache.forceFetch('k')];
    reads[0]!('value');
    expect([await Promise.all(readers), reads.length]).to.deep.equal([['value', 'value'], 1]);
  });

  it('keeps no failed read', async () => {
    let reads = 0;
    const cache = new LRUCache<string, string>({
      max: 10,
      fetchMethod: async () => {
        if (++reads === 1) throw new Error('away');
        return 'value';
      },
      ignoreFetchAbort: true,
    });
    const failed = await cache.forceFetch('k').catch((error: Error) => error.message);
    expect([failed, await cache.forceFetch('k')]).to.deep.equal(['away', 'value']);
  });
});

import { LRUCache } from 'lru-cache';

/** What a cache holds, and what invalidates it. */
export interface ReadCacheOptions<V> {
  /** Topics whose changes invalidate it. */
  readonly topics: readonly string[];
  /** What a change drops: the entry with its key, or everything. */
  readonly drops: 'key' | 'all';
  /** The size of all entries at most; the least recently used ones make room. */
  readonly maxSize: number;
  /** The size of an entry; 1 by default. */
  readonly sizeOf?: (value: V, key: string) => number;
}

/** Values that were read from the database, until they change. */
export interface ReadCache<V> {
  /**
   * The value of a key, without a promise when it is cached. Otherwise it is read, once for all who ask meanwhile; they also get
   * the value when a change comes during the read, and it is not cached then. Throws what `read` throws, and does not cache that.
   */
  get(key: string, read: () => Promise<V>): V | Promise<V>;
  /** As `get`, but reads also when the value is cached. */
  refresh(key: string, read: () => Promise<V>): Promise<V>;
  /** The value that is cached; `undefined` where none is. */
  cached(key: string): V | undefined;
}

/** Wraps a value, because `lru-cache` does not store `undefined`, and rejects a fetch that returns it after an invalidation. */
interface Entry<V> {
  readonly value: V;
}

type Subscribe = (topic: string, invalidate: (key: string | undefined) => void) => void;

/** Creates a cache that the changes of its topics invalidate. */
export function createReadCache<V>(
  subscribe: Subscribe,
  { topics, drops, maxSize, sizeOf }: ReadCacheOptions<V>,
): ReadCache<V> {
  const entries = new LRUCache<string, Entry<V>, () => Promise<V>>({
    // Not `max`, which reserves memory for all entries at once.
    maxSize,
    sizeCalculation: ({ value }, key) => sizeOf?.(value, key) ?? 1,
    fetchMethod: async (_key, _stale, { context: read }) => ({ value: await read() }),
    ignoreFetchAbort: true,
  });
  for (const topic of topics) {
    subscribe(topic, (key) => {
      if (key === undefined || drops === 'all') entries.clear();
      else entries.delete(key);
    });
  }
  const valueOf = ({ value }: Entry<V>): V => value;
  return {
    get: (key, read) => {
      const entry = entries.get(key);
      return entry ? entry.value : entries.forceFetch(key, { context: read }).then(valueOf);
    },
    refresh: (key, read) => entries.forceFetch(key, { context: read, forceRefresh: true }).then(valueOf),
    cached: (key) => entries.get(key)?.value,
  };
}

import { expect } from 'chai';
import { Invalidator } from '../../../core/persistence/invalidation/invalidator.ts';
import { quiet } from '../../support/quiet.ts';

describe('persistence: a cache of what was read', () => {
  let invalidation: Invalidator;
  let reads: string[];
  beforeEach(() => {
    invalidation = new Invalidator({ record: async () => {} }, quiet);
    reads = [];
  });

  const cacheOf = (drops: 'key' | 'all', maxSize = 10) =>
    invalidation.cache<string | undefined>({ topics: ['shop:item', 'shop:price'], drops, maxSize });
  const read = async (key: string) => {
    reads.push(key);
    return key === 'nothing' ? undefined : `${key} ${reads.length}`;
  };

  it('reads a key once, also for those who ask meanwhile, and answers it without a promise then', async () => {
    const cache = cacheOf('key');
    const get = () => cache.get('lamp', () => read('lamp'));
    expect(await Promise.all([get(), get()])).to.deep.equal(['lamp 1', 'lamp 1']);
    expect(get()).to.equal('lamp 1');
    expect(cache.cached('lamp')).to.equal('lamp 1');
    expect(await cache.refresh('lamp', () => read('lamp'))).to.equal('lamp 2');
    expect(get()).to.equal('lamp 2');
  });

  it('keeps what is not there as well, and no failure', async () => {
    const cache = cacheOf('key');
    await cache.get('nothing', () => read('nothing'));
    expect(cache.get('nothing', () => read('nothing'))).to.equal(undefined);
    const failed = cache.get('lamp', () => Promise.reject(new Error('away')));
    expect(await Promise.resolve(failed).catch((error: Error) => error.message)).to.equal('away');
    expect(await cache.get('lamp', () => read('lamp'))).to.equal('lamp 2');
  });

  for (const [drops, left] of [
    ['key', 'desk 2'],
    ['all', undefined],
  ] as const) {
    it(`drops ${drops === 'key' ? 'a key' : 'everything'} when a key of a topic changes`, async () => {
      const cache = cacheOf(drops);
      for (const key of ['lamp', 'desk']) await cache.get(key, () => read(key));
      invalidation.notify([{ topic: 'shop:colour', key: 'lamp' }]);
      expect(cache.cached('lamp')).to.equal('lamp 1');
      invalidation.notify([{ topic: 'shop:price', key: 'lamp' }]);
      expect([cache.cached('lamp'), cache.cached('desk')]).to.deep.equal([undefined, left]);
    });
  }

  it('drops everything when any key may have changed', async () => {
    const cache = cacheOf('key');
    await cache.get('lamp', () => read('lamp'));
    invalidation.notify('everything');
    expect(cache.cached('lamp')).to.equal(undefined);
  });

  for (const key of ['lamp', 'nothing']) {
    it(`does not keep ${key} that was read while it changed, and gives it to those who wait`, async () => {
      const cache = cacheOf('key');
      let end!: () => void;
      const ended = new Promise<void>((resolve) => (end = resolve));
      const waiting = cache.get(key, async () => {
        await ended;
        return read(key);
      });
      invalidation.notify([{ topic: 'shop:item', key }]);
      end();
      expect(await waiting).to.equal(key === 'nothing' ? undefined : 'lamp 1');
      await cache.get(key, () => read(key));
      expect(reads).to.deep.equal([key, key]);
    });
  }

  it('makes room by dropping what was asked for longest ago', async () => {
    const cache = cacheOf('key', 2);
    for (const key of ['lamp', 'desk', 'rug']) await cache.get(key, () => read(key));
    expect(['lamp', 'desk', 'rug'].map((key) => cache.cached(key))).to.deep.equal([
      undefined,
      'desk 2',
      'rug 3',
    ]);
  });
});

import { expect } from 'chai';
import { Invalidator } from '../../../core/persistence/invalidation/invalidator.ts';
import { Links, type KnownLink, type LinksDeps } from '../../../plugins/oidc/accounts/links.ts';
import { quiet } from '../../support/quiet.ts';

const LINK = { id: 'link', user_id: 'ada' };

/** Links whose read ends when the test says so, with how an invalidation reaches them. */
function readOnce(): { links: Links; end(row?: KnownLink): void; invalidate(): void } {
  let end!: (row?: KnownLink) => void;
  const invalidation = new Invalidator({ record: async () => {} }, quiet);
  const row = new Promise<KnownLink | undefined>((resolve) => (end = resolve));
  const links = new Links({
    database: { read: () => ({ first: () => row }) },
    invalidation,
  } as unknown as LinksDeps);
  return { links, end, invalidate: () => invalidation.notify('everything') };
}

describe('oidc: whom a provider knows', () => {
  for (const [who, row] of [
    ['somebody with an account', LINK],
    ['somebody without one', undefined],
  ] as const) {
    it(`is told of ${who} although links change while that is read`, async () => {
      const { links, end, invalidate } = readOnce();
      const found = links.find('https://corp.example.org', 'ada');
      invalidate();
      end(row);
      expect(await found).to.equal(row);
    });
  }

  it('is remembered of somebody with an account, and not of anybody else', async () => {
    const known = readOnce();
    known.end(LINK);
    await known.links.find('i', 'ada');
    expect(known.links.find('i', 'ada')).to.equal(LINK);
    const unknown = readOnce();
    unknown.end();
    await unknown.links.find('i', 'bob');
    expect(unknown.links.find('i', 'bob')).to.be.instanceOf(Promise);
  });
});

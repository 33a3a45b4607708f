import { expect } from 'chai';
import { freeUsername } from '../../../plugins/oidc/accounts/usernames.ts';

describe('oidc: the name of a new account', () => {
  it('is the first that is free', async () => {
    const taken = new Set(['ada', 'ada-2']);
    expect(await freeUsername(['', 'ada'], async (name) => taken.has(name))).to.equal('ada-3');
  });

  it('ends by chance where a provider calls everybody the same, and still fits', async () => {
    const base = 'x'.repeat(80);
    const name = await freeUsername([base], async () => true);
    expect(name).to.match(/^x{56}-[0-9a-f]{7}$/);
    expect(await freeUsername([base], async () => true)).not.to.equal(name);
  });
});

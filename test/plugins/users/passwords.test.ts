import { expect } from 'chai';
import { createPasswords } from '../../../plugins/users/passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  /** The fastest of several runs, which noise disturbs least. */
  async function fastest(work: () => Promise<unknown>): Promise<number> {
    const times: number[] = [];
    for (let run = 0; run < 15; run++) {
      const began = performance.now();
      await work();
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  }

  it('are stored as argon2id with 19 MiB and two passes', async () => {
    expect(await passwords.hash('correct horse')).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('match their own hash', async () => {
    expect(await passwords.matches('correct horse', await passwords.hash('correct horse'))).to.equal(true);
  });

  it('do not match the hash of another', async () => {
    expect(await passwords.matches('battery staple', await passwords.hash('correct horse'))).to.equal(false);
  });

  it('are the same in every form of Unicode', async () => {
    expect(
      await passwords.matches('caf\u0065\u0301 au lait', await passwords.hash('caf\u00e9 au lait')),
    ).to.equal(true);
  });

  it('never match where there is no hash', async () => {
    expect(await passwords.matches('correct horse', undefined)).to.equal(false);
  });

  it('take the same time where there is no hash', async () => {
    const stored = await passwords.hash('correct horse');
    const known = await fastest(() => passwords.matches('wrong one', stored));
    const unknown = await fastest(() => passwords.matches('wrong one', undefined));
    expect(unknown / known).to.be.within(0.5, 2);
  });
});

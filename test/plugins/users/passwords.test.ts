import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { Problem } from '../../../core/index.ts';
import { createPasswords } from '../../../plugins/users/passwords.ts';

describe('passwords', () => {
  const passwords = createPasswords();

  /** Milliseconds on a processor, which others on the machine hardly change. */
  async function worked(work: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  /** How much one works beside the other: the least of several runs in turn, which noise disturbs least. */
  async function ratio(one: () => Promise<unknown>, other: () => Promise<unknown>): Promise<number> {
    const least = [Infinity, Infinity] as [number, number];
    for (let run = 0; run < 20; run++) {
      least[0] = Math.min(least[0], await worked(one));
      least[1] = Math.min(least[1], await worked(other));
    }
    return least[0] / least[1];
  }

  it('are stored as argon2id with 19 MiB and two passes', async () => {
    expect(await passwords.hash('correct horse')).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  async function isMatch(password: string, stored: string): Promise<boolean> {
    const found = await passwords.hash(stored);
    return passwords.matches(password, async () => found);
  }

  it('match their own hash', async () => {
    expect(await isMatch('correct horse', 'correct horse')).to.equal(true);
  });

  it('do not match the hash of another', async () => {
    expect(await isMatch('battery staple', 'correct horse')).to.equal(false);
  });

  it('are the same in every form of Unicode', async () => {
    expect(await isMatch('caf\u0065\u0301 au lait', 'caf\u00e9 au lait')).to.equal(true);
  });

  it('are looked up two at a time', async () => {
    let running = 0;
    let most = 0;
    const lookUp = async (): Promise<undefined> => {
      running += 1;
      most = Math.max(most, running);
      await pause(1);
      running -= 1;
    };
    await Promise.all([1, 2, 3, 4].map(() => passwords.matches('wrong one', lookUp)));
    expect(most).to.equal(2);
  });

  it('are refused with 503 and Retry-After when too many wait', async () => {
    const none = createPasswords(0);
    const never = () => new Promise<undefined>(() => undefined);
    for (let waiting = 0; waiting < 2; waiting++) void none.matches('wrong one', never);
    const refused = (await none.hash('correct horse').catch((error: unknown) => error)) as Problem;
    expect([refused.status, refused.extras.headers]).to.deep.equal([503, { 'Retry-After': '2' }]);
  });

  it('say what is wrong with a hash that is none', async () => {
    const failed: unknown = await passwords
      .matches('correct horse', async () => 'no hash')
      .catch((error) => error);
    expect(failed)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/decoding/i);
    expect(await isMatch('correct horse', 'correct horse')).to.equal(true);
  });

  it('never match where there is no hash', async () => {
    expect(await passwords.matches('correct horse', async () => undefined)).to.equal(false);
  });

  it('take the same time where there is no hash', async function () {
    this.timeout(120_000);
    const stored = await passwords.hash('correct horse');
    const known = () => passwords.matches('wrong one', async () => stored);
    const unknown = () => passwords.matches('wrong one', async () => undefined);
    const isSame = (found: number) => found > 0.85 && found < 1 / 0.85;
    let found = NaN;
    for (let round = 0; round < 4 && !isSame(found); round++) found = await ratio(unknown, known);
    expect(isSame(found), `unknown / known is ${found}`).to.equal(true);
  });
});

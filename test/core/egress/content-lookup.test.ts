import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { contentLookup } from '../../../core/egress/guard/content-lookup.ts';
import type { Lookup } from '../../../core/egress/guard/connector.ts';
import { until } from '../../support/until.ts';

const ADDRESS: LookupAddress = { address: '192.0.2.7', family: 4 };

describe('the resolver of names that users choose', () => {
  let asked: string[];
  let answers: ((error: NodeJS.ErrnoException | null) => void)[];
  let lookup: Lookup;
  beforeEach(() => {
    [asked, answers] = [[], []];
    lookup = contentLookup((name, _options, done) => {
      asked.push(name);
      answers.push((error) => done(error, error ? [] : [ADDRESS]));
    });
  });

  const resolve = (name: string): Promise<LookupAddress[] | string> =>
    new Promise((done) =>
      lookup(name, { all: true }, (error, addresses) => done(error?.message ?? addresses)),
    );

  it('asks the system for one name at a time, so that silent name servers hold one thread in all', async () => {
    const [one, other] = [resolve('one.example'), resolve('other.example')];
    await until(() => asked.length > 0);
    expect(asked).to.deep.equal(['one.example']);
    answers[0]!(null);
    expect(await one).to.deep.equal([ADDRESS]);
    await until(() => asked.length > 1);
    answers[1]!(null);
    expect(await other).to.deep.equal([ADDRESS]);
  });

  it('passes on what the system could not resolve, and goes on with the next name', async () => {
    const [one, other] = [resolve('one.example'), resolve('other.example')];
    await until(() => asked.length > 0);
    answers[0]!(new Error('no such name'));
    expect(await one).to.equal('no such name');
    await until(() => asked.length > 1);
    answers[1]!(null);
    expect(await other).to.deep.equal([ADDRESS]);
  });

  it('refuses a name when too many wait', async () => {
    const waiting = Array.from({ length: 18 }, (_, at) => resolve(`n${at}.example`));
    expect(await waiting.at(-1)).to.contain('Too many names');
  });
});

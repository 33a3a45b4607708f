import { expect } from 'chai';
import { configurationOf } from './configured.ts';

const provider = { id: 'corp', name: 'Corporate', issuer: 'https://login.example.org', client_id: 'vitrine' };

describe('oidc: the settings', () => {
  const faults = (providers: unknown, client_secrets: unknown = []): readonly string[] =>
    configurationOf({ OIDC_PROVIDERS: JSON.stringify(providers) }, { client_secrets }).faults;

  it('are a list of providers, in the environment as JSON', () => {
    const { values, faults: none } = configurationOf({ OIDC_PROVIDERS: JSON.stringify([provider]) });
    expect(none).to.deep.equal([]);
    expect(values?.providers).to.deep.equal([provider]);
  });

  it('take secrets with commas as JSON, and others as they are', () => {
    const of = (OIDC_CLIENT_SECRETS: string) =>
      configurationOf({ OIDC_PROVIDERS: JSON.stringify([provider]), OIDC_CLIENT_SECRETS }).values
        ?.client_secrets;
    expect(of('corp=a=b')).to.deep.equal(['corp=a=b']);
    expect(of('["corp=a,b"]')).to.deep.equal(['corp=a,b']);
  });

  for (const [wrong, words] of [
    [{ ...provider, issuer: undefined }, '/0/issuer is missing'],
    [{ ...provider, issuer: 'login.example.org' }, '/0/issuer is "login.example.org"'],
    [{ ...provider, issuer: 'https://user:pw@login.example.org' }, '/0/issuer is'],
    [{ ...provider, id: 'Corp & Co' }, '/0/id is "Corp & Co"'],
    [{ ...provider, algorithm: 'HS256' }, '/0/algorithm is "HS256"'],
    [{ ...provider, algorithm: 'none' }, '/0/algorithm is "none"'],
    [{ ...provider, admin_claim: 'roles' }, '"corp" one of admin_claim and admin_values'],
    [{ ...provider, admin_values: ['admin'] }, '"corp" one of admin_claim and admin_values'],
    [{ ...provider, audience: 'vitrine' }, '"corp" its client_id as audience'],
  ] as const) {
    it(`say what is wrong: ${words}`, () => {
      const [fault, ...more] = faults([wrong]);
      expect(fault).to.include('"oidc.providers"').and.to.include(words).and.to.include('OIDC_PROVIDERS');
      expect(more).to.deep.equal([]);
    });
  }

  it('do not print a secret that stands in the wrong place', () => {
    const [fault] = faults([{ ...provider, client_secret: 'very secret' }]);
    expect(fault).to.include('/0/client_secret is not known').and.not.to.include('very secret');
  });

  it('refuse two providers with one id, and two audiences of one issuer', () => {
    expect(faults([provider, provider])[0]).to.include('two providers with the id "corp"');
    const machines = { ...provider, audience: 'https://vitrine.example.org' };
    for (const issuer of [machines.issuer, `${machines.issuer}/`]) {
      const [fault] = faults([machines, { ...machines, id: 'again', issuer }]);
      expect(fault).to.include('two providers with the issuer https://login.example.org');
    }
  });

  it('refuse an audience that is another client of the same issuer, but not one of another issuer', () => {
    const machines = { ...provider, id: 'machines', client_id: 'reports', audience: provider.client_id };
    for (const issuer of [provider.issuer, `${provider.issuer}/`]) {
      const [fault] = faults([provider, { ...machines, issuer }]);
      expect(fault).to.include('"machines" the client_id of "corp" as audience');
    }
    expect(faults([provider, { ...machines, issuer: 'https://other.example.org' }])).to.deep.equal([]);
  });

  it('refuse secrets of nobody, twice, or without an id, and never print them', () => {
    for (const [secrets, words] of [
      [['other=very secret'], 'a secret for "other"'],
      [['corp=very secret', 'corp=more'], 'two secrets for the provider "corp"'],
      [['very secret'], 'no "=" in entry 1'],
    ] as const) {
      const [fault] = faults([provider], secrets);
      expect(fault).to.include(words).and.not.to.include('very secret');
    }
  });
});

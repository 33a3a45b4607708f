import { expect } from 'chai';
import type { Database } from '../../../core/index.ts';
import { Invalidator } from '../../../core/persistence/invalidation/invalidator.ts';
import { hashOf, newKey } from '../../../plugins/api-keys/key-text.ts';
import { KeyVerifier, type KeyVerifierDeps } from '../../../plugins/api-keys/key-verifier.ts';
import { KEY_CHANGED_TOPIC } from '../../../plugins/api-keys/models.ts';
import { quiet } from '../../support/quiet.ts';
import { manualClock } from '../users/manual-clock.ts';

const ada = { id: 'u1', username: 'ada', email: 'ada@example.org', role: 'user', status: 'active' } as const;

describe('the verifier of API keys', () => {
  let reads: number;
  let noted: string[];
  let invalidation: Invalidator;
  let verifier: KeyVerifier;
  const key = newKey();

  beforeEach(() => {
    reads = 0;
    noted = [];
    const row = { id: 'k1', user_id: 'u1', expires_at: '2030-01-01T00:00:00.000Z', revoked_at: null };
    const first = async (hash: string) => {
      reads += 1;
      return hash === hashOf(key) ? row : undefined;
    };
    const clock = manualClock();
    invalidation = new Invalidator({ record: async () => {} }, quiet);
    verifier = new KeyVerifier({
      database: { read: () => ({ first }) } as unknown as Database,
      invalidation,
      accounts: { find: () => ada },
      uses: { note: (id: string) => noted.push(id) } as unknown as KeyVerifierDeps['uses'],
      clock,
    });
  });

  function verify(headers: Record<string, string>) {
    const bearer = headers['authorization']?.slice('Bearer '.length);
    return verifier.verify({
      header: (name) => headers[name],
      bearer,
      method: 'GET',
      publicUrl: new URL('http://vitrine.example/'),
      ip: '192.0.2.1',
    });
  }

  async function refused(candidate: string): Promise<boolean> {
    return Promise.resolve()
      .then(() => verify({ 'x-api-key': candidate }))
      .then(
        () => false,
        () => true,
      );
  }

  it('leaves a request without a key to others', () => {
    expect([verify({}), verify({ authorization: 'Bearer a.b.c' })]).to.deep.equal([undefined, undefined]);
  });

  it('names the owner, the way and the key', async () => {
    expect(await verify({ 'x-api-key': key })).to.deep.equal({
      kind: 'user',
      userId: 'u1',
      username: 'ada',
      role: 'user',
      via: 'api-key',
      credentialId: 'k1',
      scopes: undefined,
      resources: undefined,
    });
  });

  it('answers at once, without the database, for a key it knows', async () => {
    await verify({ 'x-api-key': key });
    expect(verify({ 'x-api-key': key })).to.include({ userId: 'u1' });
    expect(reads).to.equal(1);
  });

  it('asks the database again after the signal that the key changed', async () => {
    await verify({ 'x-api-key': key });
    invalidation.notify([{ topic: KEY_CHANGED_TOPIC, key: hashOf(key) }]);
    await verify({ 'x-api-key': key });
    expect(reads).to.equal(2);
  });

  it('refuses a key with a wrong checksum without asking the database', async () => {
    const mistyped = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x');
    expect([await refused(mistyped), reads]).to.deep.equal([true, 0]);
  });

  it('does not remember invented keys', async () => {
    const invented = newKey();
    expect([await refused(invented), await refused(invented), reads]).to.deep.equal([true, true, 2]);
  });

  it('notes a use, but not of a refused key', async () => {
    await verify({ 'x-api-key': key });
    await refused(newKey());
    expect(noted).to.deep.equal(['k1']);
  });
});

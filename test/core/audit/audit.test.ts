import { expect } from 'chai';
import { AUDIT, AUDIT_SINKS, contribute, definePlugin } from '../../../core/index.ts';
import type { AuditEntry } from '../../../core/audit/audit.ts';
import { authorOf } from '../../../core/audit/author.ts';
import { startTestKernel } from '../../../core/testing.ts';

const REQUEST = { id: 'r1', ip: '192.0.2.7' };
const BY = { kind: 'plugin', name: 'tests' } as const;

/** A kernel with a plugin that keeps what the audit trail is told. */
async function startKeeping(record: (entry: AuditEntry, inTransaction: boolean) => void) {
  const lines: string[] = [];
  const keeping = definePlugin({
    id: 'keeping',
    version: '1.0.0',
    api: '^1.0',
    summary: 'Keeps entries',
    contributes: [
      contribute(AUDIT_SINKS, {
        deps: {},
        create: () => ({ record: async (trx, entry) => record(entry, trx !== undefined) }),
      }),
    ],
  });
  const log = { write: (line: string) => void lines.push(line) };
  const kernel = await startTestKernel({ engine: 'sqlite', plugins: [keeping], log });
  return { audit: kernel.get(AUDIT), lines, stop: () => kernel.stop() };
}

describe('The audit trail of the kernel', () => {
  const entries: AuditEntry[] = [];
  let kernel: Awaited<ReturnType<typeof startKeeping>>;
  before(async () => (kernel = await startKeeping((entry) => void entries.push(entry))));
  after(() => kernel.stop());
  beforeEach(() => (entries.length = 0));

  const recorded = async (before: object | undefined, after: object | undefined) => {
    await kernel.audit.record(undefined, BY, { action: 'thing.update', before, after });
    return entries.map((entry) => [entry.before, entry.after]);
  };

  it('keeps of a change only what differs', async () => {
    const [was, is] = [
      { name: 'a', tags: ['x'], size: 1 },
      { name: 'b', tags: ['x'], size: 1 },
    ];
    expect(await recorded(was, is)).to.deep.equal([[{ name: 'a' }, { name: 'b' }]]);
  });

  it('keeps nothing of a change without a difference, whatever its time', async () => {
    expect(await recorded({ a: [1], updated_at: '1' }, { a: [1], updated_at: '2' })).to.deep.equal([]);
  });

  it('masks secrets by their names, at any depth, also where they changed', async () => {
    const was = { access_token: 'old', settings: { password: 'p', apiKey: 'k', note: 'n' }, kept: 1 };
    const masked = { password: '[redacted]', apiKey: '[redacted]', note: 'n' };
    await recorded(was, undefined);
    expect(entries[0]!.before).to.deep.equal({ access_token: '[redacted]', settings: masked, kept: 1 });
    await recorded(was, { ...was, access_token: 'new' });
    expect(entries[1]!.before).to.deep.equal({ access_token: '[redacted]' });
    expect(entries[1]!.after).to.deep.equal({ access_token: '[redacted]' });
    await recorded({ credentials: { user: 'u' }, client_secret: 's' }, undefined);
    expect(entries[2]!.before).to.deep.equal({ credentials: '[redacted]', client_secret: '[redacted]' });
  });

  it('undoes a change that it cannot record, and logs where there is nothing to undo', async () => {
    const failing = await startKeeping(() => {
      throw new Error('The disk is full.');
    });
    const { record } = failing.audit;
    await record(undefined, BY, { action: 'thing.update' });
    expect(failing.lines.join('')).to.include('could not record').and.to.include('thing.update');
    const trx = {} as Parameters<typeof record>[0];
    const outcome = await record(trx, BY, { action: 'thing.update' }).catch((error: Error) => error.message);
    expect(outcome).to.equal('The disk is full.');
    await failing.stop();
  });

  it('names the account of a request and by what it signed in, the client and the request', () => {
    const user = { kind: 'user', userId: 'u1', username: 'alice', role: 'user', credentialId: 'c1' } as const;
    const from = { address: '192.0.2.7', request_id: 'r1' };
    const alice = { name: 'alice', user_id: 'u1', credential_id: 'c1', ...from };
    expect(authorOf({ principal: { ...user, via: 'session' }, request: REQUEST })).to.deep.equal({
      kind: 'user',
      ...alice,
    });
    expect(authorOf({ principal: { ...user, via: 'api-key' }, request: REQUEST })).to.deep.equal({
      kind: 'key',
      ...alice,
    });
    expect(authorOf({ principal: { kind: 'anonymous' }, request: REQUEST })).to.deep.equal({
      kind: 'anonymous',
      ...from,
    });
  });
});

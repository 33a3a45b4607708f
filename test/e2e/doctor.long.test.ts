import { expect } from 'chai';
import { makeScratch, type Scratch } from '../../core/testing.ts';
import { startMailbox, type Mailbox } from '../support/mailbox.ts';
import { runCommand } from '../support/service-process.ts';

interface Told {
  readonly ok: boolean;
  readonly findings: readonly { readonly check: string; readonly state: string; readonly mend?: string }[];
}

describe('vitrine doctor', () => {
  let scratch: Scratch;
  let mailbox: Mailbox;
  before(async () => {
    scratch = await makeScratch('sqlite');
    mailbox = await startMailbox();
    expect((await run(['migrate', 'up'])).code).to.equal(0);
  });
  after(async () => {
    await mailbox.stop();
    await scratch.remove();
  });

  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(args, { DATA_DIR: scratch.dataDir, DATABASE_URL: scratch.databaseUrl, ...env });
  const mailAt = (url: string) => ({ SMTP_URL: url, MAIL_FROM: 'vitrine@example.org' });
  const stateOf = ({ findings }: Told, check: string) => findings.find((one) => one.check === check)?.state;

  it('ends with 0 while there are only warnings, and with 1 for them when it is strict', async () => {
    const away = mailAt('smtp://127.0.0.1:1');
    const lenient = await run(['doctor'], away);
    expect(lenient.code).to.equal(0);
    expect(lenient.stdout).to.match(/^warning {2}users:mail-server: .*127\.0\.0\.1:1/m);
    expect(lenient.stdout).to.match(/^ +Fix: .*SMTP_URL/m);
    expect((await run(['doctor', '--strict'], away)).code).to.equal(1);
  });

  it('ends with 1 for a fault, and names it among the others', async () => {
    const { code, stdout } = await run(['doctor'], mailAt(mailbox.url.replace('mail%20secret', 'hunter2')));
    expect(code).to.equal(1);
    expect(stdout).to.match(/^FAULT {4}users:mail-server: .*refuses the account/m);
    expect(stdout).to.include(': 1 fault, ').and.not.to.include('hunter2');
  });

  it('tells programs the same in JSON', async () => {
    const wrong = await run(['doctor', '--json'], mailAt(mailbox.url.replace('mail%20secret', 'hunter2')));
    const [bad, good] = [wrong, await run(['doctor', '--json'], mailAt(mailbox.url))].map(
      ({ stdout }) => JSON.parse(stdout) as Told,
    );
    expect([wrong.code, bad!.ok, stateOf(bad!, 'users:mail-server')]).to.deep.equal([1, false, 'fault']);
    expect([good!.ok, stateOf(good!, 'users:mail-server')]).to.deep.equal([true, 'ok']);
    for (const check of ['core:traces', 'gateway:redis', 'llm:language-model', 'repohost:code-host']) {
      expect(stateOf(good!, check), check).to.equal('ok');
    }
    expect(bad!.findings.every(({ state, mend }) => state !== 'fault' || mend !== undefined)).to.equal(true);
  });
});

import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { createMailer, mailComplaints, type Mailer } from '../../../plugins/users/mail/mailer.ts';
import { startMailbox, type Mailbox } from '../../support/mailbox.ts';

const MAIL = { to: 'ada@example.org', subject: 'Hello Ada', text: 'A line.\nÜmläute, 中文.\n' };

describe('the mailer', () => {
  let mailbox: Mailbox;
  before(async () => {
    mailbox = await startMailbox();
  });
  after(() => mailbox.stop());

  const mailerAt = (smtp_url: string, timeoutMs?: number): Mailer =>
    createMailer({ smtp_url, mail_from: 'Vitrine <v@example.org>' }, timeoutMs);
  const refusal = (mailer: Mailer): Promise<string> =>
    mailer.send(MAIL).then(
      () => 'none',
      (error: Error) => error.message,
    );

  it('sends with the sender of the settings', async () => {
    await mailerAt(mailbox.url).send(MAIL);
    const { from, to, source } = mailbox.mails.at(-1)!;
    expect([from, ...to]).to.deep.equal(['v@example.org', 'ada@example.org']);
    expect(source)
      .to.match(/^From: Vitrine <v@example\.org>\r$/m)
      .and.match(/^Subject: Hello Ada\r$/m);
  });

  it('is not set without a server', () => {
    expect([mailerAt('').isSet, mailerAt(mailbox.url).isSet]).to.deep.equal([false, true]);
  });

  it('says why a mail was not taken, without its password', async () => {
    const wrong = mailbox.url.replace('mail%20secret', 'hunter2');
    const message = await refusal(mailerAt(wrong));
    expect(message).to.include('wrong password').and.not.to.include('hunter2');
    expect(await refusal(mailerAt('smtp://127.0.0.1:1'))).to.include('ECONNREFUSED');
  });

  it('gives a server up that does not answer', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => void sockets.push(socket));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const began = performance.now();
    const message = await refusal(mailerAt(`smtp://127.0.0.1:${port}`, 200));
    for (const socket of sockets) socket.destroy();
    silent.close();
    expect(message).to.match(/0\.2 s|[Tt]imeout|Greeting never received/);
    expect(performance.now() - began).to.be.below(5_000);
  });

  it('needs a sender beside a server', () => {
    expect(mailComplaints({ smtp_url: 'smtp://h', mail_from: '' })).to.have.keys('mail_from');
    expect(mailComplaints({ smtp_url: '', mail_from: '' })).to.deep.equal({});
    expect(mailComplaints({ smtp_url: 'smtp://h', mail_from: 'a@b.org' })).to.deep.equal({});
  });
});

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail as the server took it. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The headers and the text, with the lines of a quoted-printable body joined. */
  readonly source: string;
}

/** A mail server under a test's control, over real SMTP. */
export interface Mailbox {
  /** With a name and a password. */
  readonly url: string;
  readonly mails: TakenMail[];
  /** Refuses mail to this address from now on. */
  refuse(address: string): void;
  /** Takes mail to this address again. */
  accept(address: string): void;
  stop(): Promise<void>;
}

const CREDENTIALS = { user: 'vitrine', pass: 'mail secret' };

export async function startMailbox(): Promise<Mailbox> {
  const mails: TakenMail[] = [];
  const refused = new Set<string>();
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === CREDENTIALS.user && password === CREDENTIALS.pass;
      done(isRight ? null : new Error('wrong password'), { user: username });
    },
    onRcptTo: ({ address }, _session, done) =>
      done(refused.has(address) ? new Error('no such mailbox') : undefined),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), source });
        done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as AddressInfo;
  const account = `${CREDENTIALS.user}:${encodeURIComponent(CREDENTIALS.pass)}`;
  return {
    url: `smtp://${account}@127.0.0.1:${port}`,
    mails,
    refuse: (address) => void refused.add(address),
    accept: (address) => void refused.delete(address),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The token of the link in a mail, or of a link. */
export function tokenIn(text: string): string {
  const token = /#token=([\w-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`There is no link in: ${text}`);
  return token;
}

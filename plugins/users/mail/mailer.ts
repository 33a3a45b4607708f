import { createTransport } from 'nodemailer';
import { token, withDeadline } from '../../../core/index.ts';

/** A server that does not answer must not keep a request of an administrator waiting for long. */
const TIMEOUT_MS = 10_000;

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface MailSettings {
  readonly smtp_url: string;
  readonly mail_from: string;
}

/** Sends mail by the SMTP server of the settings. */
export interface Mailer {
  /** Whether the settings name a server. */
  readonly isSet: boolean;
  /** Throws an `Error` that says why the server did not take the mail, without its password. */
  send(mail: Mail): Promise<void>;
  /** Connects and signs in, and sends nothing. Throws like `send`; with the code `EAUTH` where the server refuses the account. */
  verify(): Promise<void>;
}

export function createMailer(
  { smtp_url: url, mail_from: from }: MailSettings,
  timeoutMs = TIMEOUT_MS,
): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    isSet: url !== '',
    send: async (mail) => {
      await withDeadline(timeoutMs, transport.sendMail({ from, ...mail }), () => {
        throw new Error(`The mail server did not take the mail within ${timeoutMs / 1000} s.`);
      });
    },
    verify: async () => {
      await withDeadline(timeoutMs, transport.verify(), () => {
        throw new Error(`The mail server did not answer within ${timeoutMs / 1000} s.`);
      });
    },
  };
}

/** Why the settings of mail do not fit together, by setting. */
export function mailComplaints({ smtp_url, mail_from }: MailSettings): Partial<MailSettings> {
  if (smtp_url === '' || mail_from !== '') return {};
  return { mail_from: 'must be set as well, since SMTP_URL is' };
}

export const MAILER = token<Mailer>('users:mailer');

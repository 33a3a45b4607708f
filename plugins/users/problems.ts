import { problem } from '../../core/index.ts';

export const UserNotFound = problem({
  code: 'user_not_found',
  status: 404,
  title: 'No such user',
  description: 'No account has this id.',
});

export const UsernameTaken = problem({
  code: 'username_taken',
  status: 409,
  title: 'The username is taken',
  description:
    'Another account has this username; names that differ only in case, width or composition are the same. Choose another one.',
});

export const EmailTaken = problem({
  code: 'email_taken',
  status: 409,
  title: 'The e-mail address is taken',
  description:
    'Another account has this e-mail address; addresses that differ only in case, width or composition are the same. Sign in with that account.',
});

export const LastAdministrator = problem({
  code: 'last_administrator',
  status: 409,
  title: 'The last administrator must stay',
  description: 'The change would leave no active administrator. Make another account administrator first.',
});

export const RegistrationClosed = problem({
  code: 'registration_closed',
  status: 403,
  title: 'Registration is closed',
  description: 'This installation does not let people register. Ask an administrator.',
});

export const WrongPassword = problem({
  code: 'wrong_password',
  status: 403,
  title: 'The current password is wrong',
  description: 'Nothing was changed, because the current password that was sent is wrong.',
});

export const SessionNotFound = problem({
  code: 'session_not_found',
  status: 404,
  title: 'No such session',
  description: 'No session of yours has this id, or it has ended.',
});

export const TooManyAttempts = problem({
  code: 'too_many_attempts',
  status: 429,
  title: 'Too many attempts',
  description:
    'Too many logins failed for this account or from this address, or too many links were asked for. Wait for `Retry-After` seconds.',
});

export const LinkEnded = problem({
  code: 'link_ended',
  status: 409,
  title: 'The link does not work any more',
  description:
    'A one-time link was used already, has expired, was replaced by a newer one, or is incomplete. Ask for a new one.',
});

export const AccountDisabled = problem({
  code: 'account_disabled',
  status: 409,
  title: 'The account is disabled',
  description:
    'A disabled account cannot get another password. An administrator can make it active again first.',
});

export const ResetUnavailable = problem({
  code: 'password_reset_unavailable',
  status: 503,
  title: 'Passwords cannot be reset by mail here',
  description:
    'This installation sends no mail, or does not know its own address (`SMTP_URL` and `PUBLIC_URL`). An administrator can make a link for a new password.',
});

export const usersProblems = [
  UserNotFound,
  UsernameTaken,
  EmailTaken,
  LastAdministrator,
  RegistrationClosed,
  WrongPassword,
  SessionNotFound,
  TooManyAttempts,
  LinkEnded,
  AccountDisabled,
  ResetUnavailable,
];

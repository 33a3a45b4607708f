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
  description: 'The password was not changed, because the current one that was sent is wrong.',
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
  title: 'Too many failed logins',
  description:
    'Too many logins failed for this account or from this address. Wait for `Retry-After` seconds.',
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
];

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { registrationQuery } from '../api/queries.ts';
import { text } from '../texts/text.ts';

/** The way to a link for another password, where the service mails one. */
export function ForgottenPassword() {
  const { data: registration } = useQuery(registrationQuery);
  return registration?.password_reset ? <Link to="/reset">{text.account.forgotten}</Link> : undefined;
}

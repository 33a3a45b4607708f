import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery, registrationQuery } from '../api/queries.ts';
import { text } from '../texts/text.ts';

/** On an empty installation the page begins with the way to the first administrator. */
export function Setup() {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({ ...registrationQuery, enabled: me === null });
  if (me !== null || !data?.makes_administrator) return null;
  return (
    <div className="setup">
      <div>
        <h2>{text.setup.title}</h2>
        <p>{text.setup.text}</p>
      </div>
      <Link to="/register" className="button primary">
        {text.setup.action}
      </Link>
    </div>
  );
}

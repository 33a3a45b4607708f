import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../api/queries.ts';
import { docsUrl } from '../place.ts';
import { text } from '../texts/text.ts';

/** Where one can go from everywhere. */
export function Links() {
  const { data: me } = useQuery(meQuery);
  return (
    <>
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
        {text.nav.catalogue}
      </Link>
      <Link to="/history">{text.nav.history}</Link>
      <Link to="/statistics">{text.figures.title}</Link>
      <Link to="/keys">{text.nav.keys}</Link>
      {me?.role === 'admin' && (
        <>
          <Link to="/dashboard">{text.nav.dashboard}</Link>
          <Link to="/administration">{text.nav.administration}</Link>
        </>
      )}
      <a href={docsUrl}>{text.nav.api}</a>
    </>
  );
}

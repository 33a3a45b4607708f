import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { meQuery } from '../api/queries.ts';
import { useIsOn } from '../pages/page-list.ts';
import { docsUrl } from '../place.ts';
import { text } from '../texts/text.ts';

/** Where one can go from everywhere. */
export function Links() {
  const { data: me } = useQuery(meQuery);
  const isOn = useIsOn();
  return (
    <>
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
        {text.nav.catalogue}
      </Link>
      {isOn('history') && <Link to="/history">{text.nav.history}</Link>}
      {isOn('history') && <Link to="/statistics">{text.figures.title}</Link>}
      {isOn('api-keys') && <Link to="/keys">{text.nav.keys}</Link>}
      {me?.role === 'admin' && (
        <>
          {isOn('monitoring') && <Link to="/dashboard">{text.nav.dashboard}</Link>}
          <Link to="/administration">{text.nav.administration}</Link>
        </>
      )}
      {isOn('reference') && <a href={docsUrl}>{text.nav.api}</a>}
    </>
  );
}

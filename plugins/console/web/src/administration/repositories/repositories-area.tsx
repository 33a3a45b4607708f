import { Link, Outlet } from '@tanstack/react-router';
import { adminText, text } from '../../texts/text.ts';
import { useIsOn } from '../../pages/page-list.ts';

/** Around the list of repositories and the server that hosts them, the way between the two. */
export function RepositoriesArea() {
  const words = adminText.repositories;
  const isOn = useIsOn();
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.repositories}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      {isOn('repohost') && (
        <nav className="segments screens" aria-label={text.sections.repositories}>
          <Link to="/administration/repositories" activeOptions={{ exact: true, includeSearch: false }}>
            {words.tabs.list}
          </Link>
          <Link to="/administration/repositories/hosting">{words.tabs.hosting}</Link>
        </nav>
      )}
      <Outlet />
    </>
  );
}

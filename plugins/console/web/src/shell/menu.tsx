import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { meQuery, registrationQuery } from '../api/queries.ts';
import { PageLinks } from '../pages/page-links.tsx';
import { Icon } from '../parts/icon.tsx';
import { chooseLanguage, LANGUAGES, text, useLanguage, type Language } from '../texts/text.ts';
import { Links } from './links.tsx';

/** The account and the language; on a phone also where one can go. */
export function Menu({ signOut }: { readonly signOut: () => void }) {
  const { data: me, isPending } = useQuery(meQuery);
  const { data: registration } = useQuery({ ...registrationQuery, enabled: me === null });
  const here = useRouterState({ select: ({ location }) => location.href });
  return (
    <>
      {me === null && (
        <Link to="/sign-in" search={{ next: here }} className="button">
          {text.nav.signIn}
        </Link>
      )}
      {me ? (
        <button type="button" className="button menu-button" popoverTarget="menu">
          <Icon name="user" size={16} />
          <span>{me.username}</span>
        </button>
      ) : (
        <button
          type="button"
          className="button icon"
          popoverTarget="menu"
          aria-label={text.nav.menu}
          disabled={isPending}
        >
          <Icon name="menu" />
        </button>
      )}
      <div id="menu" popover="auto" className="menu" onClick={(event) => event.currentTarget.hidePopover()}>
        <nav className="menu-links" aria-label={text.nav.label}>
          <Links />
          <PageLinks />
        </nav>
        {me ? (
          <>
            <Link to="/account">{text.nav.account}</Link>
            <button type="button" onClick={() => signOut()}>
              {text.nav.signOut}
            </button>
          </>
        ) : (
          registration?.open && <Link to="/register">{text.nav.register}</Link>
        )}
        <Languages />
      </div>
    </>
  );
}

function Languages() {
  const language = useLanguage();
  return (
    <div className="segments" role="group" aria-label={text.nav.language}>
      {(Object.keys(LANGUAGES) as Language[]).map((each) => (
        <button
          key={each}
          type="button"
          lang={each}
          aria-pressed={each === language}
          onClick={() => void chooseLanguage(each)}
        >
          {LANGUAGES[each]}
        </button>
      ))}
    </div>
  );
}

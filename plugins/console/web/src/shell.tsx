import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import { meQuery } from './api/queries.ts';
import { signOut } from './api/session.ts';
import { Icon } from './parts/icon.tsx';
import { useIsOnline } from './parts/states.tsx';
import { docsUrl } from './place.ts';
import { text } from './texts/text.ts';
import { chooseTheme, useTheme } from './theme.ts';

/** What every screen has around it. */
export function Shell() {
  const isOnline = useIsOnline();
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const before = useRef(path);
  useEffect(() => {
    // A reader of the screen begins with the new screen, not with the menu again.
    if (before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return (
    <>
      <a
        href="#content"
        className="skip"
        onClick={(event) => (event.preventDefault(), main.current?.focus())}
      >
        {text.skip}
      </a>
      <header className="top">
        <div>
          <Link to="/" className="brand">
            <Logo />
            {text.name}
          </Link>
          <nav className="wide" aria-label={text.nav.label}>
            <Links />
          </nav>
          <div className="tools">
            <ThemeButton />
            <AccountTools />
          </div>
        </div>
      </header>
      {!isOnline && (
        <div className="banner" role="status">
          {text.errors.offlineBanner}
        </div>
      )}
      <main ref={main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </>
  );
}

function Links() {
  return (
    <>
      <Link to="/" activeOptions={{ exact: true, includeSearch: false }}>
        {text.nav.catalogue}
      </Link>
      <Link to="/history">{text.nav.history}</Link>
      <Link to="/keys">{text.nav.keys}</Link>
      <a href={docsUrl}>{text.nav.api}</a>
    </>
  );
}

function Logo() {
  return (
    <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0d6b5f" />
      <path
        d="M8 10l8 14 8-14"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx="16" cy="10" r="2.6" fill="#8fe3cf" />
    </svg>
  );
}

function ThemeButton() {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      type="button"
      className="button plain icon"
      aria-label={other === 'dark' ? text.nav.toDark : text.nav.toLight}
      onClick={() => chooseTheme(other)}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} />
    </button>
  );
}

function AccountTools() {
  const { data: me, isPending } = useQuery(meQuery);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const here = useRouterState({ select: ({ location }) => location.href });
  const leave = async (): Promise<void> => {
    await signOut(queries);
    await navigate({ to: '/' });
  };
  const menu = (children: ReactNode) => (
    <div
      id="account-menu"
      popover="auto"
      className="account-menu"
      onClick={(event) => event.currentTarget.hidePopover()}
    >
      {children}
    </div>
  );
  if (isPending) return null;
  return (
    <>
      {me ? (
        <button type="button" className="button" popoverTarget="account-menu">
          <Icon name="user" size={16} />
          {me.username}
        </button>
      ) : (
        <>
          <Link to="/sign-in" search={{ next: here }} className="button">
            {text.nav.signIn}
          </Link>
          <button
            type="button"
            className="button icon menu-button"
            popoverTarget="account-menu"
            aria-label={text.nav.menu}
          >
            <Icon name="menu" />
          </button>
        </>
      )}
      {menu(
        <>
          <div className="menu-links">
            <Links />
          </div>
          {me ? (
            <>
              <Link to="/account">{text.nav.account}</Link>
              <button type="button" onClick={() => void leave()}>
                {text.nav.signOut}
              </button>
            </>
          ) : (
            <Link to="/register">{text.nav.register}</Link>
          )}
        </>,
      )}
    </>
  );
}

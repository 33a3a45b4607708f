import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon } from '../parts/icon.tsx';
import { useIsOnline } from '../parts/states.tsx';
import { text, useLanguage } from '../texts/text.ts';
import { chooseTheme, useTheme } from '../theme.ts';
import { Menu } from './menu.tsx';
import { Links } from './links.tsx';

/** What every screen has around it. */
export function Shell() {
  useLanguage();
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
            <Menu />
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

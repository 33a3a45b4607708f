import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams, useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { algorithmQuery } from '../api/queries.ts';
import { isTyping, modifier } from '../palette/keys.ts';
import { Palette } from '../palette/palette.tsx';
import { noteAlgorithm } from '../palette/recent.ts';
import { PagesButton } from '../pages/page-links.tsx';
import { lazyPart } from '../part.ts';
import { Icon } from '../parts/icon.tsx';
import { text, useLanguage } from '../texts/text.ts';
import { chooseTheme, useTheme } from '../theme.ts';
import { Banner } from './banner.tsx';
import { Links } from './links.tsx';
import { Logo } from './logo.tsx';
import { Menu } from './menu.tsx';
import { NotSignedOut, useSignOut } from './sign-out.tsx';

const Shortcuts = lazyPart(() => import('../palette/shortcuts.tsx'), 'Shortcuts');

type Overlay = 'palette' | 'shortcuts' | undefined;

/** What every screen has around it. */
export function Shell() {
  useLanguage();
  const main = useRef<HTMLElement>(null);
  const [overlay, setOverlay] = useState<Overlay>();
  const signOut = useSignOut();
  useFocusOnNewScreen(main);
  useHotkeys(setOverlay);
  useRecent();
  // A dialog tells late that it was closed, perhaps after the other one was opened, which then stays.
  const close = (closed: Overlay) => setOverlay((open) => (open === closed ? undefined : open));
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
            <PagesButton />
          </nav>
          <div className="tools">
            <button
              type="button"
              className="button find"
              aria-keyshortcuts="Control+K Meta+K"
              aria-haspopup="dialog"
              onClick={() => setOverlay('palette')}
            >
              <Icon name="search" size={16} />
              <span>{text.nav.find}</span>
              <kbd>{modifier} K</kbd>
            </button>
            <ThemeButton />
            <Menu signOut={signOut.mutate} />
          </div>
        </div>
      </header>
      <Banner />
      <main ref={main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      {/* A part of the first screen, so that no letter is lost that follows Ctrl-K at once. */}
      {overlay === 'palette' && (
        <Palette
          close={() => close('palette')}
          showShortcuts={() => setOverlay('shortcuts')}
          signOut={signOut.mutate}
        />
      )}
      {signOut.error && <NotSignedOut signOut={signOut} />}
      <Suspense>{overlay === 'shortcuts' && <Shortcuts close={() => close('shortcuts')} />}</Suspense>
    </>
  );
}

/** A reader of the screen begins with the new screen, not with the menu again. */
function useFocusOnNewScreen(main: { readonly current: HTMLElement | null }): void {
  // The one that is shown: until then the link that led to it is still there, and has the focus.
  const path = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    // What the screen itself gave the focus to keeps it.
    if (
      before.current !== undefined &&
      before.current !== path &&
      !main.current?.contains(document.activeElement)
    ) {
      main.current?.focus({ preventScroll: true });
    }
    before.current = path;
  }, [path, main]);
}

function useHotkeys(show: (overlay: Overlay) => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
        event.preventDefault();
        show('palette');
      } else if (event.key === '?' && !isTyping(event) && !document.querySelector('dialog[open]')) {
        show('shortcuts');
      }
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [show]);
}

function useRecent(): void {
  const { algorithmId = '' } = useParams({ strict: false });
  // What the screen itself loads: an address that leads to nothing is not noted.
  const { data } = useQuery({ ...algorithmQuery(algorithmId), enabled: false });
  const id = data?.id;
  useEffect(() => {
    if (id) noteAlgorithm(id);
  }, [id]);
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

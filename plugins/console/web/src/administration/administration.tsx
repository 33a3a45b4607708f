import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { SignedIn } from '../account/signed-in.tsx';
import { useManages } from '../examples/rights.ts';
import { Empty, Skeleton, ToCatalogue } from '../parts/states.tsx';
import { adminText, text, useLanguage } from '../texts/text.ts';
import { useIsOn } from '../pages/page-list.ts';
import { SECTIONS } from './sections.ts';

/** What the screens of administrators have around them; others are told that they are none of theirs. */
export function Administration() {
  return <SignedIn>{({ role }) => (role === 'admin' ? <Area /> : <ForManagers />)}</SignedIn>;
}

function Area() {
  useLanguage();
  const isOn = useIsOn();
  const tabs = useRef<HTMLElement>(null);
  const path = useLocation({ select: ({ pathname }) => pathname });
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path]);
  return (
    <>
      <nav ref={tabs} className="tabs" aria-label={text.nav.administration}>
        {SECTIONS.filter(({ plugin }) => isOn(plugin)).map(({ name, to }) => (
          <Link key={name} to={to} activeOptions={{ includeSearch: false }}>
            {text.sections[name]}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

/** Who manages an algorithm changes that one. */
function ForManagers() {
  const { algorithmId } = useParams({ strict: false });
  return algorithmId === undefined ? <Refusal /> : <ForManagersOf algorithmId={algorithmId} />;
}

function ForManagersOf({ algorithmId }: { readonly algorithmId: string }) {
  const manages = useManages(algorithmId);
  if (manages === false) return <Refusal />;
  return manages ? <Outlet /> : <Skeleton style={{ height: 420, borderRadius: 14 }} />;
}

function Refusal() {
  return (
    <Empty isScreen icon="key" title={adminText.refusedTitle} action={<ToCatalogue />}>
      {adminText.refused}
    </Empty>
  );
}

import { Link, Outlet } from '@tanstack/react-router';
import { adminText, text } from '../../texts/text.ts';
import { Counters } from './counters.tsx';

const TABS = ['policies', 'blocks', 'circuits', 'check'] as const;
const ADDRESSES = {
  policies: '/administration/gateway/limits',
  blocks: '/administration/gateway/blocks',
  circuits: '/administration/gateway/circuits',
  check: '/administration/gateway/check',
} as const;

/** What the gateway counts, and around its screens the way between them. */
export function GatewayPage() {
  const words = adminText.gateway;
  return (
    <>
      <div className="page-head">
        <h1>{text.sections.gateway}</h1>
        <p className="quiet">{words.intro}</p>
      </div>
      <Counters />
      <nav className="segments screens" aria-label={text.sections.gateway}>
        {TABS.map((tab) => (
          <Link key={tab} to={ADDRESSES[tab]} activeOptions={{ includeSearch: false }}>
            {words.tabs[tab]}
          </Link>
        ))}
      </nav>
      <Outlet />
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useAccount } from '../../account/signed-in.tsx';
import { algorithmQuery, type Algorithm } from '../../api/queries.ts';
import { StatusBadge } from '../../parts/badge.tsx';
import { ChoiceLink } from '../../parts/choice-link.tsx';
import { Fault, Skeleton } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, text } from '../../texts/text.ts';
import { ALGORITHM_TABS, type AlgorithmTab } from '../addresses.ts';
import { useIsOn } from '../../pages/page-list.ts';
import { TAB_VIEWS } from './algorithm-tabs.tsx';
import { Publish } from './publish.tsx';

const HERE = '/administration/algorithms/$algorithmId';

/** One algorithm, for those who change it. */
export function AlgorithmPage() {
  const { algorithmId } = useParams({ from: HERE });
  const { tab = 'general' } = useSearch({ from: HERE });
  const { data: algorithm, error, refetch } = useQuery(algorithmQuery(algorithmId));
  useTitle(algorithm?.name ?? text.sections.algorithms);
  if (error && !algorithm) return <Fault error={error} retry={() => void refetch()} />;
  return (
    <>
      <div className="page-head">
        <Crumbs />
        {algorithm ? <Head algorithm={algorithm} /> : <Skeleton style={{ height: 34, width: 220 }} />}
      </div>
      <Tabs algorithmId={algorithmId} tab={tab} />
      {algorithm ? (
        <TabContent key={algorithm.id} algorithm={algorithm} tab={tab} />
      ) : (
        <Skeleton style={{ height: 420, borderRadius: 14 }} />
      )}
    </>
  );
}

function Crumbs() {
  const me = useAccount();
  if (me?.role !== 'admin') return null;
  return (
    <p className="crumbs">
      <Link to="/administration/algorithms">← {text.sections.algorithms}</Link>
    </p>
  );
}

function Head({ algorithm }: { readonly algorithm: Algorithm }) {
  return (
    <div className="row between">
      <div className="row">
        <h1>{algorithm.name}</h1>
        <StatusBadge status={algorithm.status} />
      </div>
      <div className="row">
        <Link to="/algorithms/$algorithmId" params={{ algorithmId: algorithm.id }} className="button">
          {adminText.algorithms.seeInCatalogue}
        </Link>
        <Publish algorithm={algorithm} />
      </div>
    </div>
  );
}

function Tabs({ algorithmId, tab }: { readonly algorithmId: string; readonly tab: AlgorithmTab }) {
  const tabs = useShownTabs();
  return (
    <nav className="tabs" aria-label={text.algorithm.tabs}>
      {tabs.map((name) => (
        <ChoiceLink
          key={name}
          to={HERE}
          params={{ algorithmId }}
          search={{ tab: name === 'general' ? undefined : name }}
          isCurrent={tab === name}
        >
          {adminText.algorithms.tabs[name]}
        </ChoiceLink>
      ))}
    </nav>
  );
}

function TabContent({ algorithm, tab }: { readonly algorithm: Algorithm; readonly tab: AlgorithmTab }) {
  const tabs = useShownTabs();
  const View = TAB_VIEWS[tabs.includes(tab) ? tab : 'general']?.view;
  return (
    View && (
      <Suspense fallback={<Skeleton style={{ height: 420, borderRadius: 14 }} />}>
        <View algorithm={algorithm} />
      </Suspense>
    )
  );
}

function useShownTabs(): readonly AlgorithmTab[] {
  const isOn = useIsOn();
  const me = useAccount();
  return ALGORITHM_TABS.filter((name) => {
    const tab = TAB_VIEWS[name];
    return tab && isOn(tab.plugin) && (!tab.isForAdministrators || me?.role === 'admin');
  });
}

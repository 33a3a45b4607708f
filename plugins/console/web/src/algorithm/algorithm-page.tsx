import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import type { AlgorithmSearch, Tab } from '../addresses.ts';
import { algorithmQuery, type Algorithm, type Version } from '../api/queries.ts';
import { CheckBadge } from '../checks/check-badge.tsx';
import { useManages } from '../examples/rights.ts';
import { useIsOn } from '../pages/page-list.ts';
import { lazyPart } from '../part.ts';
import { StatusBadge, TypeBadge } from '../parts/badge.tsx';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { Face } from '../parts/face.tsx';
import { hueOf } from '../parts/hue.ts';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { Playground } from '../playground/playground.tsx';
import { text } from '../texts/text.ts';
import { AboutTab } from './about-tab.tsx';
import { ApiTab } from './api-tab.tsx';

const HistoryTab = lazyPart(() => import('./history-tab.tsx'), 'HistoryTab');
const PerformanceTab = lazyPart(() => import('./performance-tab.tsx'), 'PerformanceTab');
const VersionsTab = lazyPart(() => import('./versions-tab.tsx'), 'VersionsTab');

export function AlgorithmPage() {
  const { algorithmId } = useParams({ from: '/algorithms/$algorithmId' });
  const search = useSearch({ from: '/algorithms/$algorithmId' });
  const { data: algorithm, error, isFetching, refetch } = useQuery(algorithmQuery(algorithmId));
  useTitle(algorithm?.name);
  if (error && !algorithm) return <Fault error={error} retry={() => void refetch()} />;
  if (!algorithm) return <Loading />;
  const { versions } = algorithm;
  const version =
    versions.find(({ id }) => id === search.version) ??
    versions.find((each) => each.is_default) ??
    versions[0];
  const isGone = search.version !== undefined && !isFetching && version && version.id !== search.version;
  return (
    <>
      <Head algorithm={algorithm} version={version} />
      <Tabs algorithm={algorithm} tab={search.tab} />
      {isGone && <p className="notice warn">{text.algorithm.versionGone}</p>}
      {algorithm.status === 'inactive' && <p className="notice warn">{text.algorithm.inactive}</p>}
      {algorithm.status === 'deprecated' && <p className="notice warn">{text.algorithm.deprecated}</p>}
      <Suspense fallback={<Skeleton style={{ height: 320 }} />}>
        <TabView algorithm={algorithm} version={version} search={search} />
      </Suspense>
    </>
  );
}

function TabView({
  algorithm,
  version,
  search: { tab, call, example },
}: {
  readonly algorithm: Algorithm;
  readonly version: Version | undefined;
  readonly search: AlgorithmSearch;
}) {
  switch (tab) {
    case 'about':
      return <AboutTab algorithm={algorithm} version={version} />;
    case 'versions':
      return <VersionsTab algorithm={algorithm} version={version} />;
    case 'history':
      return <HistoryTab algorithm={algorithm} />;
    case 'performance':
      return <PerformanceTab algorithm={algorithm} version={version} />;
    case 'api':
    case undefined:
  }
  if (!version) return <Empty title={text.algorithm.noVersionTitle}>{text.algorithm.noVersion}</Empty>;
  if (tab === 'api') return <ApiTab algorithm={algorithm} version={version} />;
  return (
    <Playground
      key={`${version.id} ${call ?? ''}`}
      algorithm={algorithm}
      version={version}
      callId={call}
      exampleId={example}
    />
  );
}

function Head({
  algorithm,
  version,
}: {
  readonly algorithm: Algorithm;
  readonly version: Version | undefined;
}) {
  const navigate = useNavigate({ from: '/algorithms/$algorithmId' });
  return (
    <div className={`algorithm-head ${hueOf(algorithm.type)}`}>
      <p className="crumbs">
        <Link to="/">← {text.catalogue.title}</Link>
      </p>
      <Face id={algorithm.id} type={algorithm.type} />
      <div className="page-head">
        <h1>{algorithm.name}</h1>
        <div className="row facets-line">
          <TypeBadge type={algorithm.type} />
          <StatusBadge status={algorithm.status} />
          {version?.check && (
            <Link
              to="/algorithms/$algorithmId"
              params={{ algorithmId: algorithm.id }}
              search={{ tab: 'versions', version: version.id }}
            >
              <CheckBadge check={version.check} />
            </Link>
          )}
          {algorithm.tags.length > 0 && (
            <ul className="row tags" aria-label={text.catalogue.facets.tags}>
              {algorithm.tags.map((tag) => (
                <li key={tag}>
                  <Link to="/" search={{ tags: [tag] }}>
                    #{tag}
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </div>
        <p className="lead">{firstSentence(algorithm.description)}</p>
        <EditLink algorithmId={algorithm.id} />
      </div>
      {version && algorithm.versions.length > 0 && (
        <label className="row small quiet version-choice">
          {text.algorithm.version}
          <select
            className="select"
            value={version.id}
            onChange={({ target }) =>
              void navigate({
                search: ({ tab, range, from, to, by, zone, live, only }) => ({
                  tab,
                  range,
                  from,
                  to,
                  by,
                  zone,
                  live,
                  only,
                  version: target.value,
                }),
                replace: true,
              })
            }
          >
            {algorithm.versions.map(({ id, version: label, is_default: isDefault }) => (
              <option key={id} value={id}>
                {isDefault ? `${label} (${text.algorithm.isDefault})` : label}
              </option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}

/** The way to change it, for those who may. */
function EditLink({ algorithmId }: { readonly algorithmId: string }) {
  if (!useManages(algorithmId)) return null;
  return (
    <p>
      <Link to="/administration/algorithms/$algorithmId" params={{ algorithmId }} className="button small">
        {text.examples.edit}
      </Link>
    </p>
  );
}

/** The whole description is on the tab that is about the algorithm. */
function firstSentence(description: string): string {
  return /^.{20,300}?[.!?](?=\s|$)/su.exec(description)?.[0] ?? description.slice(0, 300);
}

function Tabs({ algorithm, tab }: { readonly algorithm: Algorithm; readonly tab: Tab | undefined }) {
  const isOn = useIsOn();
  const tabs = [
    [undefined, text.algorithm.playground, 'catalogue'],
    ['about', text.algorithm.about, 'catalogue'],
    ['api', text.algorithm.api, 'catalogue'],
    ['history', text.history.title, 'history'],
    ['performance', text.algorithm.performance, 'monitoring'],
    ['versions', `${text.algorithm.versions} (${algorithm.versions.length})`, 'catalogue'],
  ] as const;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the row of tabs is wider than the screen.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [tab]);
  return (
    <nav ref={nav} className="tabs" aria-label={text.algorithm.tabs}>
      {tabs
        .filter(([, , plugin]) => isOn(plugin))
        .map(([name, label]) => (
          <ChoiceLink
            key={label}
            to="/algorithms/$algorithmId"
            params={{ algorithmId: algorithm.id }}
            search={({ version }) => ({ version, tab: name })}
            isCurrent={tab === name}
          >
            {label}
          </ChoiceLink>
        ))}
    </nav>
  );
}

function Loading() {
  return (
    <div className="stack" aria-busy="true">
      <Skeleton style={{ height: 158 }} />
      <Skeleton style={{ height: 44 }} />
      <div className="playground">
        <Skeleton style={{ height: 420, borderRadius: 14 }} />
        <Skeleton style={{ height: 320, borderRadius: 14 }} />
      </div>
    </div>
  );
}

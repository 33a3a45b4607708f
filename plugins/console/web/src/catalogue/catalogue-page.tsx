import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { algorithmsQuery, meQuery, registrationQuery, type Algorithm } from '../api/queries.ts';
import { StatusBadge, TypeBadge } from '../parts/badge.tsx';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { Face } from '../parts/face.tsx';
import { hueOf } from '../parts/hue.ts';
import { Icon } from '../parts/icon.tsx';
import { Empty, Fault, Skeleton } from '../parts/states.tsx';
import { useTitle } from '../parts/title.ts';
import { docsUrl } from '../place.ts';
import { showType, text } from '../texts/text.ts';
import { PAGE_SIZE, queryOf, SORTS, STATUSES, type CatalogueSearch } from './catalogue-search.ts';

export function CataloguePage() {
  useTitle(text.catalogue.title);
  const search = useSearch({ from: '/' });
  const { data, error, refetch, isPlaceholderData } = useQuery(algorithmsQuery(queryOf(search)));
  return (
    <>
      <Setup />
      <div className="page-head">
        <h1>{text.catalogue.title}</h1>
        <p className="quiet">{text.catalogue.intro}</p>
      </div>
      <Filters search={search} />
      <Types search={search} />
      {error && <Fault error={error} retry={() => void refetch()} />}
      {!data && !error && <LoadingCards />}
      {data && data.algorithms.length === 0 && <Nothing search={search} />}
      {data && data.algorithms.length > 0 && (
        <>
          <p className="small quiet" role="status">
            {text.catalogue.count(data.algorithms.length, data.total)}
          </p>
          <ul className={isPlaceholderData ? 'cards is-stale' : 'cards'}>
            {data.algorithms.map((algorithm) => (
              <Card key={algorithm.id} algorithm={algorithm} />
            ))}
          </ul>
          <Pager search={search} total={data.total} />
        </>
      )}
    </>
  );
}

function Card({ algorithm: { id, name, type, description, status } }: { readonly algorithm: Algorithm }) {
  return (
    <li className={`card algorithm-card ${hueOf(type)}`}>
      <Face id={id} type={type} />
      <div className="body">
        <div className="row">
          <TypeBadge type={type} />
          {status !== 'active' && <StatusBadge status={status} />}
        </div>
        <h2>
          <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
            {name}
          </Link>
        </h2>
        <p>{description}</p>
      </div>
    </li>
  );
}

function LoadingCards() {
  return (
    <ul className="cards" aria-busy="true">
      {Array.from({ length: 6 }, (_, i) => (
        <li key={i} className="card algorithm-card">
          <Skeleton style={{ height: 112, borderRadius: 0 }} />
          <div className="body">
            <Skeleton style={{ height: 24, width: 110 }} />
            <Skeleton style={{ height: 24, width: '60%' }} />
            <Skeleton style={{ height: 64 }} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Filters({ search }: { readonly search: CatalogueSearch }) {
  const navigate = useNavigate({ from: '/' });
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(search.q ?? '');
  const sent = useRef(search.q);
  useEffect(() => {
    // The address changed by itself, as with Back.
    if (search.q !== sent.current) setTyped(search.q ?? '');
    sent.current = search.q;
  }, [search.q]);
  useEffect(() => {
    const q = typed.trim() || undefined;
    if (q === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = q;
      void navigate({ search: (before) => ({ ...before, q, page: undefined }), replace: true });
    }, 200);
    return () => clearTimeout(timer);
  }, [typed, navigate]);
  useEffect(() => {
    const focus = (event: KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', focus);
    return () => removeEventListener('keydown', focus);
  }, []);
  const change = (part: Partial<CatalogueSearch>): void =>
    void navigate({ search: (before) => ({ ...before, ...part, page: undefined }) });

  return (
    <search className="filters">
      <div className="search">
        <Icon name="search" />
        <input
          ref={field}
          className="input"
          type="search"
          value={typed}
          maxLength={200}
          placeholder={text.catalogue.search}
          aria-label={text.catalogue.search}
          aria-keyshortcuts="/"
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
        />
        {typed === '' ? (
          <kbd aria-hidden="true">/</kbd>
        ) : (
          <button
            type="button"
            className="button plain icon small"
            aria-label={text.catalogue.clear}
            onClick={() => (setTyped(''), field.current?.focus())}
          >
            <Icon name="close" size={16} />
          </button>
        )}
      </div>
      <div className="row small-filters">
        <select
          className="select"
          aria-label={text.catalogue.status}
          value={search.status ?? ''}
          onChange={({ target }) => change({ status: STATUSES.find((status) => status === target.value) })}
        >
          <option value="">{text.catalogue.anyStatus}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {text.statuses[status]}
            </option>
          ))}
        </select>
        <select
          className="select"
          aria-label={text.catalogue.sort}
          value={search.sort ?? 'name'}
          onChange={({ target }) => change({ sort: SORTS.find((sort) => sort === target.value) })}
        >
          {SORTS.map((sort) => (
            <option key={sort} value={sort}>
              {text.catalogue.sorts[sort]}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}

/** The types that occur among the algorithms which search and status select. */
function Types({ search }: { readonly search: CatalogueSearch }) {
  const selected = queryOf({ q: search.q, status: search.status });
  const { data } = useQuery({
    ...algorithmsQuery({ ...selected, limit: 1, facets: true }),
    staleTime: 60_000,
  });
  const counts = new Map(data?.facets?.types.map(({ name, count }) => [name, count]));
  const types = [...counts.keys()];
  if (search.type && !types.includes(search.type)) types.unshift(search.type);
  if (!data) return <Skeleton style={{ height: 38, width: 'min(620px, 100%)' }} />;
  if (types.length < 2 && !search.type) return null;
  return (
    <nav className="chips" aria-label={text.catalogue.types}>
      {[undefined, ...types].map((type) => (
        <ChoiceLink
          key={type ?? ''}
          to="/"
          search={{ ...search, page: undefined, type }}
          className={`chip ${type === undefined ? 'all' : hueOf(type)}`}
          isCurrent={search.type === type}
        >
          {type === undefined ? text.catalogue.all : showType(type)}
          {type !== undefined && <small>{counts.get(type) ?? 0}</small>}
        </ChoiceLink>
      ))}
    </nav>
  );
}

function Nothing({ search }: { readonly search: CatalogueSearch }) {
  const isFiltered = search.q !== undefined || search.type !== undefined || search.status !== undefined;
  if (isFiltered || search.page) {
    return (
      <Empty
        icon="search"
        title={text.catalogue.nothingTitle}
        action={
          <Link to="/" className="button">
            {text.catalogue.clearAll}
          </Link>
        }
      >
        {text.catalogue.nothing}
      </Empty>
    );
  }
  return (
    <Empty
      title={text.catalogue.emptyTitle}
      action={
        <a className="button" href={docsUrl}>
          {text.catalogue.emptyAction}
        </a>
      }
    >
      {text.catalogue.empty}
    </Empty>
  );
}

function Pager({ search, total }: { readonly search: CatalogueSearch; readonly total: number }) {
  const { page = 1 } = search;
  const pages = Math.ceil(total / PAGE_SIZE);
  if (pages < 2) return null;
  const to = (target: number) => ({
    to: '/' as const,
    search: { ...search, page: target > 1 ? target : undefined },
    className: 'button',
    disabled: target < 1 || target > pages,
  });
  return (
    <nav className="pager" aria-label={text.catalogue.pages}>
      <Link {...to(page - 1)}>{text.catalogue.previous}</Link>
      <span className="quiet">{text.catalogue.page(page, pages)}</span>
      <Link {...to(page + 1)}>{text.catalogue.next}</Link>
    </nav>
  );
}

/** On an empty installation the page begins with the way to the first administrator. */
function Setup() {
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery({ ...registrationQuery, enabled: me === null });
  if (me !== null || !data?.makes_administrator) return null;
  return (
    <div className="setup">
      <div>
        <h2>{text.setup.title}</h2>
        <p>{text.setup.text}</p>
      </div>
      <Link to="/register" className="button primary">
        {text.setup.action}
      </Link>
    </div>
  );
}

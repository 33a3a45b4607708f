import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api/client.ts';
import { algorithmsQuery } from '../../api/queries.ts';
import { STATUSES, type Status } from '../../catalogue/catalogue-search.ts';
import { FilterSelect, RadioChoice } from '../../parts/choice.tsx';
import { Finder, type Findable } from '../../parts/finder.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Segments } from '../../parts/segments.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText, showStatus, showType, text } from '../../texts/text.ts';
import { download } from '../../views/download.ts';

const SCOPES = ['all', 'filtered', 'chosen'] as const;
type Scope = (typeof SCOPES)[number];
const FORMATS = { yaml: 'YAML', json: 'JSON' } as const;
type Format = keyof typeof FORMATS;

/** Of each as many as one request may name. */
const MOST_CHOSEN = 100;

interface Choice {
  readonly status?: Status;
  readonly type?: string;
}

/** Downloads the catalogue or a part of it as a file. */
export function ExportCard() {
  const words = adminText.transfer;
  const [scope, setScope] = useState<Scope>('all');
  const [filter, setFilter] = useState<Choice>({});
  const [chosen, setChosen] = useState<readonly Findable[]>([]);
  const [withSections, setWithSections] = useState(true);
  const [format, setFormat] = useState<Format>('yaml');
  const selected = selectionOf(scope, filter, chosen);
  const { data } = useQuery(
    algorithmsQuery({ ...(scope === 'filtered' && selected), limit: 1, facets: true }),
  );
  const number = scope === 'chosen' ? chosen.length : data?.total;
  const fetched = useMutation({
    mutationFn: () =>
      dataOf(
        api.GET('/catalogue/export', {
          params: { query: { ...selected, format, sections: withSections } },
          parseAs: 'blob',
        }),
      ) as Promise<unknown> as Promise<Blob>,
    onSuccess: (file) => download(`catalogue.${format}`, file, file.type),
  });
  return (
    <section className="card" aria-labelledby="export">
      <header>
        <h2 id="export">{words.export}</h2>
      </header>
      <div className="body stack">
        <RadioChoice
          legend={words.what}
          options={SCOPES}
          chosen={scope}
          choose={setScope}
          show={(each) => words.scopes[each]}
        />
        {scope === 'filtered' && (
          <div className="list-filters">
            <FilterSelect
              label={text.catalogue.facets.type}
              any={adminText.algorithms.anyType}
              options={data?.facets?.types.map(({ name }) => name) ?? []}
              chosen={filter.type}
              nameOf={showType}
              choose={(type) =>
                setFilter(({ status }) => ({ ...(status && { status }), ...(type && { type }) }))
              }
            />
            <FilterSelect
              label={text.history.status}
              any={text.history.any}
              options={STATUSES}
              chosen={filter.status}
              nameOf={showStatus}
              choose={(status) =>
                setFilter(({ type }) => ({ ...(type && { type }), ...(status && { status }) }))
              }
            />
          </div>
        )}
        {scope === 'chosen' && <Chosen chosen={chosen} change={setChosen} />}
        <label className="switch">
          <input
            type="checkbox"
            checked={withSections}
            onChange={({ target }) => setWithSections(target.checked)}
          />
          <span>{words.withSections}</span>
        </label>
        <div className="field">
          <span className="label">{words.format}</span>
          <Segments
            label={words.format}
            options={Object.keys(FORMATS) as Format[]}
            chosen={format}
            choose={setFormat}
            nameOf={(each) => FORMATS[each]}
          />
        </div>
        {fetched.error && <Fault error={fetched.error} />}
        <div className="row">
          <button
            type="button"
            className="button primary"
            disabled={number === 0}
            aria-disabled={fetched.isPending}
            onClick={() => fetched.isPending || fetched.mutate()}
          >
            {fetched.isPending ? words.exporting : words.download}
          </button>
          <span className="small quiet" role="status">
            {number !== undefined && adminText.algorithms.count(number)}
          </span>
        </div>
      </div>
    </section>
  );
}

function Chosen(props: {
  readonly chosen: readonly Findable[];
  readonly change: (chosen: readonly Findable[]) => void;
}) {
  const { chosen, change } = props;
  return (
    <>
      {chosen.length < MOST_CHOSEN && (
        <Finder
          label={adminText.transfer.choose}
          find={(q) => algorithmsQuery({ q, limit: 8 })}
          read={({ algorithms }) =>
            algorithms
              .filter(({ id }) => !chosen.some((each) => each.id === id))
              .map(({ id, name }) => ({ id, name }))
          }
          choose={(one) => change([...chosen, one])}
        />
      )}
      {chosen.length > 0 && (
        <ul className="row">
          {chosen.map((one) => (
            <li key={one.id}>
              <button
                type="button"
                className="chip all"
                aria-label={adminText.transfer.leaveOut(one.name)}
                onClick={() => change(chosen.filter((each) => each !== one))}
              >
                {one.name}
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function selectionOf(scope: Scope, { status, type }: Choice, chosen: readonly Findable[]) {
  if (scope === 'chosen') return { algorithm_id: chosen.map(({ id }) => id) };
  if (scope === 'all') return {};
  return { ...(status && { status: [status] }), ...(type && { type: [type] }) };
}

import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Facets } from '../api/queries.ts';
import { hueOf } from '../parts/hue.ts';
import { Skeleton } from '../parts/states.tsx';
import { showNumber, text } from '../texts/text.ts';
import { FACETS, toggled, type CatalogueSearch, type Facet } from './catalogue-search.ts';
import { nameOf } from './filter-names.ts';

/** How many names of a facet are shown before one asks for the rest. */
const FIRST = 10;

/** The types, statuses, checks and tags of what is found, each with how many it would show; several may be chosen. */
export function FacetGroups(props: {
  readonly search: CatalogueSearch;
  readonly facets: Facets | undefined;
}) {
  const { search, facets } = props;
  if (!facets) return <Skeleton style={{ height: 420 }} />;
  const found = {
    type: facets.types,
    status: facets.statuses,
    check: facets.checks ?? [],
    tags: facets.tags,
  };
  return (
    <div className="facets">
      {FACETS.map((facet) => (
        <FacetGroup key={facet} facet={facet} search={search} found={found[facet]} />
      ))}
    </div>
  );
}

interface Counted {
  readonly name: string;
  readonly count: number;
}

function FacetGroup({
  facet,
  search,
  found,
}: {
  readonly facet: Facet;
  readonly search: CatalogueSearch;
  readonly found: readonly Counted[];
}) {
  const [isWhole, setWhole] = useState(false);
  const navigate = useNavigate({ from: '/' });
  const chosen: readonly string[] = search[facet] ?? [];
  const chosenAs = (name: string) => chosen.find((each) => isSame(each, name));
  const missing = chosen.filter((name) => !found.some((each) => isSame(each.name, name)));
  const all = [...missing.map((name) => ({ name, count: 0 })), ...found];
  const shown = all.filter(({ name }, i) => isWhole || i < FIRST || chosenAs(name) !== undefined);
  // A single one says nothing: all that is found has it.
  if (chosen.length === 0 && shown.length < 2) return null;
  return (
    <fieldset className="facet">
      <legend>{text.catalogue.facets[facet]}</legend>
      {shown.map(({ name, count }) => (
        <label key={name} className={facet === 'type' ? hueOf(name) : undefined}>
          <input
            type="checkbox"
            checked={chosenAs(name) !== undefined}
            onChange={() =>
              void navigate({ search: toggled(search, facet, chosenAs(name) ?? name), resetScroll: false })
            }
          />
          <span>{nameOf(facet, name)}</span>
          <small>{showNumber(count)}</small>
        </label>
      ))}
      {shown.length < all.length && (
        <button type="button" className="button plain small" onClick={() => setWhole(true)}>
          {text.catalogue.more(all.length - shown.length)}
        </button>
      )}
    </fieldset>
  );
}

/** Tags are equal in any case and width. */
function isSame(a: string, b: string): boolean {
  return a === b || a.normalize('NFKC').toLowerCase() === b.normalize('NFKC').toLowerCase();
}

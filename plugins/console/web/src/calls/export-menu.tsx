import type { HistoryQuery } from '../api/queries.ts';
import { apiUrl } from '../place.ts';
import { text } from '../texts/text.ts';

const FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const;

/** Downloads all that the filters select, on all pages. The service sends it piece by piece. */
export function ExportMenu({ filters }: { readonly filters: HistoryQuery }) {
  return (
    <div className="row small">
      <span className="quiet">{text.history.download}</span>
      {Object.entries(FORMATS).map(([format, name]) => (
        <a key={format} className="button small" download href={addressOf({ ...filters, format })}>
          {name}
        </a>
      ))}
    </div>
  );
}

function addressOf(query: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${apiUrl}/history/export?${new URLSearchParams(values)}`;
}

import { apiUrl } from '../place.ts';
import { text } from '../texts/text.ts';

const FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const;

/** Downloads all that the filters select, on all pages. The service sends it piece by piece. */
export function ExportMenu(props: {
  readonly path: string;
  readonly filters: Readonly<Record<string, unknown>>;
}) {
  const { path, filters } = props;
  return (
    <div className="row small">
      <span className="quiet">{text.history.download}</span>
      {Object.entries(FORMATS).map(([format, name]) => (
        <a key={format} className="button small" download href={addressOf(path, { ...filters, format })}>
          {name}
        </a>
      ))}
    </div>
  );
}

function addressOf(path: string, query: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(query).map(([name, value]) => [name, String(value)]);
  return `${apiUrl}${path}?${new URLSearchParams(values)}`;
}

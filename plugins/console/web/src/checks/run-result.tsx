import type { CheckRun } from '../api/queries.ts';
import { showDuration, text } from '../texts/text.ts';

type Result = CheckRun['examples'][number];

const TONES = { passed: 'good', failed: 'bad', skipped: '' } as const;

/** What became of each example, and where its answer was not as expected. */
export function RunResult({ run }: { readonly run: CheckRun }) {
  return (
    <ul className="check-results">
      {run.examples.map((example) => (
        <li key={example.example_id}>
          <p className="row">
            <span className={`badge ${TONES[example.outcome]}`}>{text.checks.outcomes[example.outcome]}</span>
            <strong>{example.name}</strong>
            {example.response_time !== null && (
              <span className="small quiet">{showDuration(example.response_time)}</span>
            )}
          </p>
          {example.error_message !== null && <p className="small">{example.error_message}</p>}
          {example.differences.length > 0 && <Differences example={example} />}
        </li>
      ))}
    </ul>
  );
}

function Differences({ example }: { readonly example: Result }) {
  return (
    <div
      className="table-scroll differences"
      tabIndex={0}
      role="region"
      aria-label={text.checks.differencesOf(example.name)}
    >
      <table>
        <thead>
          <tr>
            <th>{text.compare.where}</th>
            <th>{text.checks.expected}</th>
            <th>{text.checks.got}</th>
          </tr>
        </thead>
        <tbody>
          {example.differences.map(({ pointer, expected, got, withheld }) => (
            <tr key={pointer}>
              <td>{pointer ? <code>{pointer}</code> : text.compare.itself}</td>
              <td className="removed">
                <Value of={expected} />
              </td>
              <td className="added">
                {withheld ? <span className="quiet small">{text.checks.withheld}</span> : <Value of={got} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ of }: { readonly of: string | null }) {
  return of === null ? <span className="quiet small">{text.compare.missing}</span> : <code>{of}</code>;
}

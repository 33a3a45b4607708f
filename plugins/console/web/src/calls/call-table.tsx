import type { Call } from '../api/queries.ts';
import { StatusBadge } from '../parts/badge.tsx';
import { Moment } from '../parts/moment.tsx';
import { showAgo, showDuration, showMoment, text } from '../texts/text.ts';

export function CallTable({
  calls,
  names,
  chosen,
  choose,
  open,
}: {
  readonly calls: readonly Call[];
  /** Absent where all calls are of one algorithm. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly chosen: readonly string[];
  readonly choose: (call: Call, isChosen: boolean) => void;
  readonly open: (id: string) => void;
}) {
  return (
    <table>
      <thead>
        <tr>
          <th>
            <span className="visually-hidden">{text.compare.choose}</span>
          </th>
          <th>{text.history.status}</th>
          <th>{names ? text.history.algorithm : text.history.input}</th>
          <th>{text.history.when}</th>
          <th className="number">{text.history.duration}</th>
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => {
          const name = names ? (names.get(call.algorithm_id) ?? '…') : briefly(call.input_data);
          return (
            <tr key={call.id} className="link" onClick={() => open(call.id)}>
              <td className="call-choice" onClick={(event) => event.stopPropagation()}>
                <input
                  type="checkbox"
                  aria-label={`${text.compare.choose}: ${name}, ${showMoment(call.created_at)}`}
                  checked={chosen.includes(call.id)}
                  onChange={({ target }) => choose(call, target.checked)}
                />
              </td>
              <td>
                <StatusBadge status={call.status} />
              </td>
              <td>
                <button
                  type="button"
                  className="as-link"
                  onClick={(event) => (event.stopPropagation(), open(call.id))}
                >
                  {name}
                </button>
              </td>
              <td>
                <Moment iso={call.created_at} show={showAgo} />
                {typeof call.response_time === 'number' && (
                  <small className="narrow-only quiet">{showDuration(call.response_time)}</small>
                )}
              </td>
              <td className="number">
                {typeof call.response_time === 'number' && showDuration(call.response_time)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const LONGEST = 80;

/** The beginning of an input, which tells the calls of one algorithm apart. */
function briefly(input: Call['input_data']): string {
  if (input === null) return text.call.none;
  const values = Object.entries(input).map(([name, value]) => `${name}: ${shortText(value)}`);
  return values.join(', ').slice(0, LONGEST) || '{}';
}

function shortText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, LONGEST);
  if (Array.isArray(value)) return text.playground.items(value.length);
  return typeof value === 'object' && value !== null ? '{ … }' : String(value);
}

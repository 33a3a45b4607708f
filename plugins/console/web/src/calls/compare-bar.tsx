import { Link } from '@tanstack/react-router';
import type { Call } from '../api/queries.ts';
import { showMoment, text } from '../texts/text.ts';

/** What was chosen to be compared; it stays while one goes through the pages. */
export function CompareBar({
  chosen,
  names,
  clear,
}: {
  readonly chosen: readonly Call[];
  readonly names: ReadonlyMap<string, string>;
  readonly clear: () => void;
}) {
  const [first, second] = chosen;
  return (
    <div className="card compare-bar" role="region" aria-label={text.compare.title}>
      <p className="small">
        {chosen
          .map((call) => `${names.get(call.algorithm_id) ?? '…'}, ${showMoment(call.created_at)}`)
          .join(' ↔ ')}
      </p>
      <div className="row">
        {first && second ? (
          <Link
            to="/calls/$callId"
            params={{ callId: first.id }}
            search={{ with: second.id }}
            className="button primary small"
          >
            {text.compare.action}
          </Link>
        ) : (
          <span className="small quiet">{text.compare.another}</span>
        )}
        <button type="button" className="button small" onClick={clear}>
          {text.compare.clear}
        </button>
      </div>
    </div>
  );
}

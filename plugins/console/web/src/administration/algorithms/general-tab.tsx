import type { Algorithm } from '../../api/queries.ts';
import { showMoment, text } from '../../texts/text.ts';

/** What an algorithm is called and how the catalogue shows it. */
export function GeneralTab({ algorithm }: { readonly algorithm: Algorithm }) {
  return (
    <section className="card">
      <div className="body stack">
        <dl className="facts">
          <dt>{text.algorithm.id}</dt>
          <dd className="mono">{algorithm.id}</dd>
          <dt>{text.algorithm.created}</dt>
          <dd>{showMoment(algorithm.created_at)}</dd>
          <dt>{text.algorithm.updated}</dt>
          <dd>{showMoment(algorithm.updated_at)}</dd>
        </dl>
      </div>
    </section>
  );
}

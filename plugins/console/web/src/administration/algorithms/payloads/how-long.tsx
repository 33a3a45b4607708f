import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { adminText } from '../../../texts/text.ts';
import { settingsQuery } from '../../queries.ts';

const SECTION = 'invocation';

/** How long records and what they hold are kept, which the settings say for the whole installation. */
export function HowLong() {
  const words = adminText.payloads;
  const { data } = useQuery(settingsQuery);
  if (!data) return null;
  const limit = (key: string): number => {
    const value = data.find((setting) => setting.section === SECTION && setting.key === key)?.value;
    return typeof value === 'number' ? value : 0;
  };
  return (
    <section className="card" aria-labelledby="how-long">
      <header>
        <h2 id="how-long">{words.howLong}</h2>
      </header>
      <div className="body stack">
        <dl className="facts">
          <dt>{words.payloads}</dt>
          <dd>{words.kept(limit('keep_payloads_days'), limit('keep_payloads_count'))}</dd>
          <dt>{words.records}</dt>
          <dd>{words.kept(limit('keep_records_days'), limit('keep_records_count'))}</dd>
        </dl>
        <p className="small">
          <Link to="/administration/settings" search={{ q: 'keep_' }}>
            {words.bySettings}
          </Link>
        </p>
      </div>
    </section>
  );
}

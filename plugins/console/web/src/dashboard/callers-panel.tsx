import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { callersQuery, type BusiestCallers, type SeriesQuery } from '../api/queries.ts';
import { text } from '../texts/text.ts';
import { FigurePanel, Nothing } from './figure-panel.tsx';
import { shareRows, ShareTable, type ShareRow } from './share-table.tsx';

/** Who called most. */
export function CallersPanel(props: {
  readonly query: SeriesQuery;
  /** Whether each leads to the screen of the account. */
  readonly isLinked?: boolean;
}) {
  const { query, isLinked = false } = props;
  const asked = useQuery(callersQuery(query));
  const nameOf = ({ id, name }: ShareRow) =>
    isLinked ? (
      <Link to="/administration/users/$userId" params={{ userId: id }}>
        {name}
      </Link>
    ) : (
      name
    );
  return (
    <FigurePanel
      title={text.figures.callersTitle}
      file="busiest-callers"
      asked={asked}
      rowsOf={(data) => shareRows(text.figures.caller, rowsOf(data))}
    >
      {(data) =>
        data.callers.length === 0 ? (
          <Nothing>{text.figures.noCallers}</Nothing>
        ) : (
          <ShareTable of={text.figures.caller} rows={rowsOf(data)} nameOf={nameOf} />
        )
      }
    </FigurePanel>
  );
}

function rowsOf({ callers }: BusiestCallers): readonly ShareRow[] {
  return callers.map(({ user_id, username, total_calls, success_rate, avg_response_time }) => ({
    id: user_id,
    name: username ?? text.figures.deletedCaller,
    calls: total_calls,
    succeeded: success_rate / 100,
    mean: avg_response_time,
  }));
}

import { Skeleton } from '../parts/states.tsx';

/** The size of the figures and the charts that come. */
export function LoadingFigures() {
  return (
    <div className="stack" aria-busy="true">
      <LoadingCards />
      <div className="chart-pair">
        <Skeleton style={{ height: 458, borderRadius: 14 }} />
        <Skeleton style={{ height: 458, borderRadius: 14 }} />
      </div>
    </div>
  );
}

export function LoadingCards() {
  return (
    <div className="figure-cards" aria-hidden="true">
      {Array.from({ length: 4 }, (_, i) => (
        <Skeleton key={i} style={{ height: 84, borderRadius: 14 }} />
      ))}
    </div>
  );
}

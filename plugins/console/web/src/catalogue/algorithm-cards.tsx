import { Link } from '@tanstack/react-router';
import type { Algorithm, Stats } from '../api/queries.ts';
import { CheckBadge } from '../checks/check-badge.tsx';
import { StatusBadge, TypeBadge } from '../parts/badge.tsx';
import { Face } from '../parts/face.tsx';
import { hueOf } from '../parts/hue.ts';
import { Skeleton } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { showSuccess, Sparkline } from './figures.tsx';

export function Cards({ algorithms }: { readonly algorithms: readonly Algorithm[] }) {
  return (
    <ul className="cards">
      {algorithms.map((algorithm) => (
        <Card key={algorithm.id} algorithm={algorithm} />
      ))}
    </ul>
  );
}

function Card({ algorithm }: { readonly algorithm: Algorithm }) {
  const { id, name, type, description, status, tags, stats, check } = algorithm;
  return (
    <li className={`card algorithm-card ${hueOf(type)}`}>
      <Face id={id} type={type} />
      <div className="body">
        <div className="row badges">
          <TypeBadge type={type} />
          {status !== 'active' && <StatusBadge status={status} />}
          {check && check.state !== 'unchecked' && <CheckBadge check={check} />}
        </div>
        <h2 className="title">
          <Link to="/algorithms/$algorithmId" params={{ algorithmId: id }}>
            {name}
          </Link>
        </h2>
        <p className="about">{description}</p>
        <p className="tags">{tags.map((tag) => `#${tag}`).join(' ')}</p>
      </div>
      {stats && <Figures stats={stats} />}
    </li>
  );
}

function Figures({ stats }: { readonly stats: Stats }) {
  return (
    <footer className="figures">
      {stats.calls === 0 ? (
        <span>{text.catalogue.neverCalled}</span>
      ) : (
        <>
          <span>{text.catalogue.calls(stats.calls)}</span>
          <span>{text.catalogue.ok(showSuccess(stats) ?? '')}</span>
          <Sparkline days={stats.days} />
        </>
      )}
    </footer>
  );
}

/** Cards of the size that they will have. */
export function LoadingCards() {
  return (
    <ul className="cards" aria-busy="true">
      {Array.from({ length: 9 }, (_, i) => (
        <li key={i} className="card algorithm-card is-loading">
          <div className="face" />
          <div className="body">
            <div className="badges">
              <Skeleton style={{ height: 22, width: 110 }} />
            </div>
            <div className="title">
              <Skeleton style={{ height: 22, width: '60%' }} />
            </div>
            <div className="about">
              <Skeleton style={{ height: 60 }} />
            </div>
            <div className="tags" />
          </div>
          <footer className="figures">
            <Skeleton style={{ height: 14, width: 140 }} />
          </footer>
        </li>
      ))}
    </ul>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { algorithmQuery } from '../../api/queries.ts';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { adminText, showAgo, showMoment, showProblem } from '../../texts/text.ts';
import type { AlgorithmTab } from '../addresses.ts';
import type { CheckSearch } from './addresses.ts';
import { showLimit } from './limit-words.ts';
import { blockQuery, type Check } from './queries.ts';
import { showSubject, useSubjectNames } from './subjects.ts';

interface VerdictProps {
  readonly check: Check;
  readonly asked: CheckSearch;
}

/** What the caller is refused for, whatever is called. */
const OF_CALLERS = new Set([
  'invalid_credentials',
  'insufficient_scope',
  'algorithm_not_covered',
  'api_key_elsewhere',
]);

/** Where the advice can be followed on the page of the algorithm; otherwise on its first tab. */
const TABS_BY_CODE: Readonly<Record<string, AlgorithmTab>> = {
  forbidden: 'access',
  algorithm_not_found: 'access',
  version_not_found: 'versions',
};

type Limit = Check['limits'][number];

/** The answer in sentences: whether a call passes, what refuses it, until when, and what to do about it. */
export function Verdict({ check, asked }: VerdictProps) {
  const words = adminText.gateway.check;
  return (
    <>
      <section className={`notice ${check.allowed ? 'good' : 'bad'}`} role="status">
        <h2>{check.allowed ? words.allowed : words.refused}</h2>
        {!check.allowed && <Refusal check={check} asked={asked} />}
      </section>
      {check.chosen && asked.algorithm && <Chosen chosen={check.chosen} algorithm={asked.algorithm} />}
      <section className="stack tight" aria-labelledby="limits-left">
        <h2 id="limits-left">{words.limits}</h2>
        {check.limits.length === 0 ? (
          <p className="quiet">{words.noLimits}</p>
        ) : (
          <ListTable
            label={words.limits}
            columns={columns()}
            rows={check.limits}
            keyOf={({ name }) => name}
          />
        )}
      </section>
    </>
  );
}

function Refusal({ check, asked }: VerdictProps) {
  const words = adminText.gateway.check;
  const { code, clears_at: clearsAt } = check;
  return (
    <>
      <Why check={check} />
      {clearsAt && <p>{words.until(showMoment(clearsAt), showAgo(clearsAt))}</p>}
      {code === 'blocked' && clearsAt === null && <p>{words.lasts}</p>}
      {code && Object.hasOwn(words.advice, code) && <p>{words.advice[code]}</p>}
      <WayOn check={check} asked={asked} />
    </>
  );
}

function Why({ check: { reason, rule, limits, ...check } }: { readonly check: Check }) {
  const words = adminText.gateway.check;
  const code = check.code ?? '';
  switch (code) {
    case 'blocked':
      return <BlockedBecause id={rule?.id ?? ''} reason={reason ?? ''} />;
    case 'rate_limited': {
      const limit = limits.find(({ remaining, policy_id: id }) => remaining === 0 && id === rule?.id);
      if (!limit) return <p>{reason}</p>;
      return (
        <p>
          {words.refusals.rate_limited(
            words.limitOf[limit.name as keyof typeof words.limitOf],
            allowed(limit),
          )}{' '}
          {rule?.kind === 'setting' && words.bySetting}
        </p>
      );
    }
    case 'concurrency_limited':
    case 'circuit_open':
      return <p>{words.refusals[code]}</p>;
    default:
      return (
        <p>
          <strong>{showProblem(code, code)}</strong> {reason}
        </p>
      );
  }
}

function BlockedBecause({ id, reason }: { readonly id: string; readonly reason: string }) {
  const { data: block } = useQuery({ ...blockQuery(id), retry: false });
  const nameOf = useSubjectNames(block ? [block] : []);
  const name = block ? showSubject(block.subject, nameOf(block)) : '…';
  return <p>{adminText.gateway.check.refusals.blocked(name, reason)}</p>;
}

/** Leads to the rule that refuses, or to what has to be changed. */
function WayOn(props: VerdictProps) {
  const link = linkOf(props);
  return link && <p>{link}</p>;
}

function linkOf({ check: { code, rule }, asked: { user, algorithm } }: VerdictProps) {
  const words = adminText.gateway.check;
  const className = 'button small';
  switch (rule?.kind) {
    case 'block':
      return (
        <Link
          className={className}
          to="/administration/gateway/blocks"
          search={{ open: rule.id ?? undefined }}
        >
          {words.toBlock}
        </Link>
      );
    case 'policy':
      return (
        <Link
          className={className}
          to="/administration/gateway/limits"
          search={{ open: rule.id ?? undefined }}
        >
          {words.toPolicy}
        </Link>
      );
    case 'circuit':
      return (
        <Link className={className} to="/administration/gateway/circuits">
          {words.toCircuits}
        </Link>
      );
    case 'setting':
      return (
        <Link className={className} to="/administration/settings" search={{ q: 'gateway' }}>
          {words.toSettings}
        </Link>
      );
    case undefined:
      break;
  }
  if (user && code && OF_CALLERS.has(code))
    return (
      <Link className={className} to="/administration/users/$userId" params={{ userId: user }}>
        {words.toUser}
      </Link>
    );
  return (
    algorithm && (
      <Link
        className={className}
        to="/administration/algorithms/$algorithmId"
        params={{ algorithmId: algorithm }}
        search={{ tab: TABS_BY_CODE[code ?? ''] }}
      >
        {words.toAlgorithm}
      </Link>
    )
  );
}

function Chosen(props: { readonly chosen: NonNullable<Check['chosen']>; readonly algorithm: string }) {
  const { chosen, algorithm } = props;
  const words = adminText.gateway.check;
  const { data } = useQuery(algorithmQuery(algorithm));
  const version = data?.versions.find(({ id }) => id === chosen.version_id)?.version ?? chosen.version_id;
  return (
    <p className="quiet">
      {words.chosen(version)} {chosen.role && words.roles[chosen.role]}
    </p>
  );
}

function columns(): readonly Column<Limit>[] {
  const words = adminText.gateway.check;
  return [
    {
      label: adminText.gateway.subject,
      kind: 'main',
      cell: ({ name }) => words.limitOf[name as keyof typeof words.limitOf],
    },
    { label: words.allows, cell: allowed },
    {
      label: words.left,
      cell: ({ remaining, limit }) => (
        <span className="left">
          {words.leftOf(remaining, limit)}
          <progress max={limit} value={remaining} aria-hidden="true" />
        </span>
      ),
    },
    {
      label: words.full,
      cell: ({ resets_at }) =>
        resets_at === null ? words.isFull : <Moment iso={resets_at} show={showAgo} />,
    },
  ];
}

function allowed({ limit, window_s }: Limit): string {
  return showLimit({ limit, window_s, concurrency: null });
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { FilterSelect } from '../../parts/choice.tsx';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Empty } from '../../parts/states.tsx';
import { useTitle } from '../../parts/title.ts';
import { adminText, showAgo, showMoment, text } from '../../texts/text.ts';
import { ListOf } from '../list-of.tsx';
import { partOf } from '../queries.ts';
import { useUserNames } from '../user-names.ts';
import { BLOCK_FILTERS } from './addresses.ts';
import { ChangeBlock, LiftBlock, NewBlock } from './block-dialogs.tsx';
import { blocksQuery, type Block } from './queries.ts';
import { showSubject, useSubjectNames } from './subjects.ts';

/** Who may not call, or what may not be called, until when and why. */
export function BlocksPage() {
  const words = adminText.gateway.blocks;
  useTitle(adminText.gateway.tabs.blocks);
  const { page, show = 'active', open } = useSearch({ from: '/administration/gateway/blocks' });
  const navigate = useNavigate({ from: '/administration/gateway/blocks' });
  const [asked, setAsked] = useState<'new' | Block>();
  const found = useQuery(
    blocksQuery({ ...(show !== 'all' && { active: show === 'active' }), ...partOf(page) }),
  );
  // What is closed was saved, or given up.
  const go = (id: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, open: id }), resetScroll: false, ignoreBlocker: true });
  const columns = useColumns(found.data?.rows ?? [], go, setAsked);
  return (
    <>
      <p className="quiet explanation">{words.intro}</p>
      <div className="row between">
        <div className="list-filters">
          <FilterSelect
            label={words.which}
            options={BLOCK_FILTERS}
            chosen={show}
            nameOf={(filter) => words.filters[filter]}
            choose={(filter) =>
              void navigate({
                search: { show: filter === 'active' ? undefined : filter },
                resetScroll: false,
              })
            }
          />
        </div>
        <button type="button" className="button primary" onClick={() => setAsked('new')}>
          {words.add}
        </button>
      </div>
      <ListOf
        found={found}
        count={words.count}
        empty={
          <Empty icon="filter" title={words.emptyTitle}>
            {words.empty}
          </Empty>
        }
        isFiltered={show === 'ended'}
        page={page}
      >
        {(rows) => (
          <ListTable
            label={adminText.gateway.tabs.blocks}
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
          />
        )}
      </ListOf>
      {asked === 'new' && <NewBlock close={() => setAsked(undefined)} />}
      {asked && asked !== 'new' && <LiftBlock block={asked} close={() => setAsked(undefined)} />}
      {open && <ChangeBlock key={open} id={open} close={() => go(undefined)} />}
    </>
  );
}

function useColumns(
  blocks: readonly Block[],
  open: (id: string) => void,
  lift: (block: Block) => void,
): readonly Column<Block>[] {
  const words = adminText.gateway;
  const nameOf = useSubjectNames(blocks);
  const makers = useUserNames(blocks.map(({ created_by }) => created_by));
  return [
    {
      label: words.subject,
      kind: 'main',
      cell: (block) => (
        <button type="button" className="as-link" onClick={() => open(block.id)}>
          {showSubject(block.subject, nameOf(block))}
        </button>
      ),
    },
    { label: words.blocks.reason, kind: 'long', cell: ({ reason }) => reason },
    { label: words.blocks.ends, cell: Ends },
    {
      label: words.blocks.by,
      kind: 'long',
      cell: ({ created_by: id }) => (
        <Link to="/administration/users/$userId" params={{ userId: id }}>
          {makers.get(id) ?? id}
        </Link>
      ),
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (block) => (
        <button
          type="button"
          className="button small"
          aria-label={words.blocks.liftOf(showSubject(block.subject, nameOf(block)))}
          onClick={() => lift(block)}
        >
          {words.blocks.lift}
        </button>
      ),
    },
  ];
}

function Ends({ until, active }: Block) {
  const words = adminText.gateway.blocks;
  if (until === null) return words.never;
  if (!active) return `${words.ended}, ${showAgo(until)}`;
  return <Moment iso={until} show={(iso) => `${showAgo(iso)}, ${showMoment(iso)}`} />;
}

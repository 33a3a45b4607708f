import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { examplesQuery, type Algorithm, type Example, type Version } from '../../api/queries.ts';
import { ListTable, type Column } from '../../parts/list-table.tsx';
import { Empty, Fault } from '../../parts/states.tsx';
import { adminText, text } from '../../texts/text.ts';
import { ExampleEditor } from './example-editor.tsx';
import { DeleteExample, MakeDefaultExample } from './example-actions.tsx';

interface ExamplesProps {
  readonly algorithm: Algorithm;
  readonly version: Version;
}

/** The examples of a version: what callers can begin with, and what checks expect. */
export function VersionExamples({ algorithm, version }: ExamplesProps) {
  const words = adminText.algorithms;
  const { data: examples, error, refetch } = useQuery(examplesQuery(algorithm.id, version.id));
  /** The example that is edited; `null` for a new one. */
  const [edited, edit] = useState<Example | null>();
  return (
    <section className="stack tight" aria-labelledby="examples">
      <div className="row between">
        <h2 id="examples">{text.examples.label}</h2>
        <button type="button" className="button" onClick={() => edit(null)}>
          {words.newExample}
        </button>
      </div>
      {error && <Fault error={error} retry={() => void refetch()} />}
      {examples?.length === 0 && <Empty title={text.examples.emptyTitle}>{words.noExamples}</Empty>}
      {!error && examples?.length !== 0 && (
        <ListTable
          label={text.examples.label}
          columns={columns(version, edit)}
          rows={examples}
          keyOf={({ id }) => id}
        />
      )}
      {edited !== undefined && (
        <ExampleEditor version={version} before={edited ?? undefined} close={() => edit(undefined)} />
      )}
    </section>
  );
}

function columns(version: Version, edit: (example: Example) => void): readonly Column<Example>[] {
  const words = adminText.algorithms;
  return [
    {
      label: text.examples.name,
      kind: 'main',
      cell: ({ name, is_default, fits }) => (
        <span className="row">
          <strong>{name}</strong>
          {is_default && <span className="badge">{text.algorithm.isDefault}</span>}
          {!fits && <span className="badge warn">{text.examples.unfit}</span>}
        </span>
      ),
    },
    { label: text.examples.description, kind: 'long', cell: ({ description }) => description },
    {
      label: words.expected,
      cell: ({ output_data, tolerance }) =>
        output_data ? words.expects(toleranceText(tolerance)) : words.anyAnswer,
    },
    {
      label: text.keys.actions,
      kind: 'actions',
      cell: (example) => (
        <>
          <button
            type="button"
            className="button small"
            aria-label={words.editOf(example.name)}
            onClick={() => edit(example)}
          >
            {text.examples.edit}
          </button>
          {!example.is_default && <MakeDefaultExample version={version} example={example} />}
          <DeleteExample version={version} example={example} />
        </>
      ),
    },
  ];
}

function toleranceText(tolerance: Example['tolerance']): string {
  const { absolute, relative } = tolerance ?? {};
  return [
    ...(absolute === undefined ? [] : [`± ${absolute}`]),
    ...(relative === undefined ? [] : [`± ${+(relative * 100).toPrecision(6)} %`]),
  ].join(', ');
}

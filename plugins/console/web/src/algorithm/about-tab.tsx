import { lazy, Suspense } from 'react';
import type { Algorithm, Version } from '../api/queries.ts';
import { part } from '../part.ts';
import { Skeleton } from '../parts/states.tsx';
import { readFields, type Field } from '../playground/fields.ts';
import { showMoment, showType, text } from '../texts/text.ts';

/** Loaded when a readme is shown. */
const Markdown = lazy(() => part(() => import('../parts/markdown.tsx')));

export function AboutTab({
  algorithm,
  version,
}: {
  readonly algorithm: Algorithm;
  readonly version: Version | undefined;
}) {
  return (
    <div className="playground">
      <section className="card">
        <div className="body stack">
          {algorithm.readme ? (
            <Suspense fallback={<Skeleton style={{ height: 320 }} />}>
              <Markdown source={algorithm.readme} below={1} />
            </Suspense>
          ) : (
            <p className="prose">{algorithm.description}</p>
          )}
        </div>
      </section>
      <div className="stack">
        <section className="card">
          <div className="body stack">
            {algorithm.readme && <p className="prose small quiet">{algorithm.description}</p>}
            <dl className="facts">
              <dt>{text.algorithm.type}</dt>
              <dd>{showType(algorithm.type)}</dd>
              <dt>{text.algorithm.access}</dt>
              <dd>{text.algorithm.accesses[algorithm.access]}</dd>
              <dt>{text.algorithm.created}</dt>
              <dd>{showMoment(algorithm.created_at)}</dd>
              <dt>{text.algorithm.updated}</dt>
              <dd>{showMoment(algorithm.updated_at)}</dd>
              <dt>{text.algorithm.id}</dt>
              <dd className="mono">{algorithm.id}</dd>
            </dl>
          </div>
        </section>
        {version && (
          <>
            <FieldTable title={text.algorithm.input} fields={readFields(version.input_schema)} />
            <FieldTable
              title={text.algorithm.parameters}
              fields={readFields({ properties: version.params })}
            />
            <FieldTable title={text.algorithm.output} fields={readFields(version.output_schema)} />
          </>
        )}
      </div>
    </div>
  );
}

function FieldTable({ title, fields }: { readonly title: string; readonly fields: readonly Field[] }) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      {fields.length === 0 ? (
        <p className="body quiet">{text.algorithm.anything}</p>
      ) : (
        <div className="table-scroll" tabIndex={0} role="region" aria-label={title}>
          <table>
            <thead>
              <tr>
                <th>{text.algorithm.field}</th>
                <th>{text.algorithm.kind}</th>
                <th>{text.algorithm.meaning}</th>
              </tr>
            </thead>
            <tbody>
              {fields.map(({ name, schema, isRequired }) => (
                <tr key={name}>
                  <td>
                    <code>{name}</code>
                  </td>
                  <td className="small quiet">
                    {kindOf(schema)}
                    {isRequired && `, ${text.algorithm.required}`}
                    {schema.default !== undefined &&
                      `, ${text.algorithm.byDefault} ${JSON.stringify(schema.default)}`}
                  </td>
                  <td className="small">{schema.description}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function kindOf(schema: Field['schema']): string {
  const kind = typeof schema.type === 'string' ? schema.type : schema.type?.join(' | ');
  return schema.enum ? schema.enum.slice(0, 6).map(String).join(' | ') : (kind ?? '');
}

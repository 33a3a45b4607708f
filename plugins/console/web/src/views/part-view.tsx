import { useMemo, useState, type ReactNode } from 'react';
import { isObject } from '../playground/fields.ts';
import { useWords } from '../pages/page-list.ts';
import { usePluginViews } from '../pages/view-choice.ts';
import { ViewPlace } from '../pages/view-place.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { Segments } from '../parts/segments.tsx';
import { text } from '../texts/text.ts';
import { BoxesView } from './boxes-view.tsx';
import { viewsFor, type View } from './choose.ts';
import {
  dataUrl,
  FileView,
  MarkdownView,
  MediaView,
  PageView,
  PictureView,
  SourceView,
} from './file-view.tsx';
import { isPicture, readFile } from './files.ts';
import { gridOf, type Grid } from './grid.ts';
import { LongText } from './long-text.tsx';
import { showValue, wordsOf } from './numbers.ts';
import { PointsView } from './points-view.tsx';
import { PaletteView, ScoresView } from './scores-view.tsx';
import { SeriesView } from './series-view.tsx';
import { TableView } from './table-view.tsx';

interface PartProps {
  readonly name: string;
  readonly value: unknown;
  readonly schema: unknown;
  /** What was sent: boxes are drawn over a picture of it. */
  readonly input: Record<string, unknown> | null | undefined;
}

/** One part of an output with its title, shown by one of the views that fit it. */
export function PartView({ name, value, schema, input }: PartProps) {
  const views = useMemo(
    () => viewsFor(value, schema, pictureIn(input) !== undefined),
    [value, schema, input],
  );
  const [chosen, choose] = useState<View['kind'] | 'plugin'>();
  const own = usePluginViews()(value, schema);
  const kinds = [...(own ? (['plugin'] as const) : []), ...views.map(({ kind }) => kind)];
  const kind = chosen !== undefined && kinds.includes(chosen) ? chosen : kinds[0];
  const view = views.find((each) => each.kind === kind);
  const words = useWords();
  const title = titleOf(name, schema);
  return (
    <section className="view" role="group" aria-label={title}>
      <div className="row between">
        <h3>{title}</h3>
        {kinds.length > 1 && (
          <Segments
            label={text.results.views}
            options={kinds}
            chosen={kind}
            choose={choose}
            nameOf={(each) => (each === 'plugin' ? words(own?.title ?? {}) : text.results.kinds[each])}
            isSmall
          />
        )}
      </div>
      {own && kind === 'plugin' ? (
        <ViewPlace view={own} value={value} schema={schema} input={input} />
      ) : view ? (
        <Drawn view={view} name={name} value={value} schema={schema} input={input} />
      ) : (
        <JsonTree value={value} />
      )}
    </section>
  );
}

export function titleOf(name: string, schema: unknown): string {
  const title = isObject(schema) ? schema['title'] : undefined;
  return typeof title === 'string' ? title : wordsOf(name);
}

function Drawn({ view, name, value, schema, input }: PartProps & { readonly view: View }): ReactNode {
  switch (view.kind) {
    case 'image':
      return <PictureView file={view.file} name={name} />;
    case 'page':
      return <PageView file={view.file} name={name} />;
    case 'markdown':
      return <MarkdownView file={view.file} name={name} />;
    case 'source':
      return <SourceView file={view.file} name={name} />;
    case 'audio':
    case 'video':
      return <MediaView file={view.file} name={name} kind={view.kind} />;
    case 'file':
      return <FileView file={view.file} name={name} />;
    case 'text':
      return <LongText value={value as string} />;
    case 'scores':
      return <ScoresView value={value} view={view} />;
    case 'palette':
      return <PaletteView value={value} view={view} />;
    case 'boxes':
      return <BoxesView value={value} view={view} picture={pictureIn(input, view.image)!} />;
    case 'points':
      return <PointsView value={value} view={view} />;
    case 'series':
      return <Gridded value={value} draw={(grid) => <SeriesView grid={grid} view={view} />} />;
    case 'table':
      return (
        <Gridded value={value} draw={(grid) => <TableView grid={grid} label={titleOf(name, schema)} />} />
      );
    case 'list':
      return <ListView value={value as readonly unknown[]} />;
    case 'facts':
      return <Facts entries={Object.entries(value as object)} schema={schema} />;
    case 'group':
      return <Group value={value as Record<string, unknown>} schema={schema} input={input} />;
    case 'scalar':
      return <p>{showValue(value)}</p>;
  }
}

function Gridded({ value, draw }: { readonly value: unknown; readonly draw: (grid: Grid) => ReactNode }) {
  const grid = useMemo(() => gridOf(value), [value]);
  return grid ? draw(grid) : <JsonTree value={value} />;
}

function ListView({ value }: { readonly value: readonly unknown[] }) {
  if (value.length === 0) return <p className="quiet">{text.results.emptyList}</p>;
  return <p className="prose mono">{value.slice(0, 500).map(showValue).join(', ')}</p>;
}

/** Single values under their names. */
export function Facts({
  entries,
  schema,
}: {
  readonly entries: readonly (readonly [string, unknown])[];
  readonly schema: unknown;
}) {
  return (
    <dl className="scalars">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{titleOf(name, memberOf(schema, name))}</dt>
          <dd>{showValue(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The members of an object: first those that are one value, then the others. */
export function Group({
  value,
  schema,
  input,
}: {
  readonly value: Record<string, unknown>;
  readonly schema: unknown;
  readonly input: PartProps['input'];
}) {
  const entries = Object.entries(value);
  const pluginView = usePluginViews();
  const isFact = ([name, each]: readonly [string, unknown]): boolean =>
    viewsFor(each, memberOf(schema, name), false)[0]?.kind === 'scalar' &&
    !pluginView(each, memberOf(schema, name));
  const facts = entries.filter(isFact);
  return (
    <div className="stack">
      {facts.length > 0 && <Facts entries={facts} schema={schema} />}
      {entries
        .filter((entry) => !isFact(entry))
        .map(([name, each]) => (
          <PartView key={name} name={name} value={each} schema={memberOf(schema, name)} input={input} />
        ))}
    </div>
  );
}

function memberOf(schema: unknown, name: string): unknown {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  return isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The address of a picture in the input: that of a field, or else the first one. */
function pictureIn(input: PartProps['input'], field?: string): string | undefined {
  const values = field === undefined ? Object.values(input ?? {}) : [input?.[field]];
  for (const value of values) {
    const file = readFile(value, undefined);
    if (file && isPicture(file.type) && file.type !== 'image/svg+xml') return dataUrl(file);
  }
  return undefined;
}

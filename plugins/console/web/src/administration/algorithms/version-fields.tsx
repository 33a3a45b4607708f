import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Example } from '../../api/queries.ts';
import { part } from '../../part.ts';
import { Segments } from '../../parts/segments.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { adminText, text } from '../../texts/text.ts';
import type { Tried } from './trial-bench.tsx';
import { findingsBelow, SHAPES, type Shape, type VersionDraft } from './version-draft.ts';

/** Loaded where they are used: they are as large as the playground. */
const SchemaEditor = lazy(() => part(() => import('./schema-editor.tsx')));
const TrialBench = lazy(() => part(() => import('./trial-bench.tsx')));

/** Where a version is called, and its label. */
export function EndpointFields({
  draft,
  errors,
  hasLabel = true,
}: {
  readonly draft: VersionDraft;
  readonly errors: ReadonlyMap<string, string>;
  readonly hasLabel?: boolean;
}) {
  const words = adminText.algorithms;
  const { texts, set, findings } = draft;
  const found = findings.find(({ pointer }) => pointer === '/body/url')?.message;
  return (
    <>
      <TextField
        label={words.url}
        name="url"
        inputMode="url"
        maxLength={2048}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://models.example.org/detect"
        value={texts.url}
        onChange={({ target }) => set({ url: target.value })}
        hint={words.urlHint}
        wrong={errors.get('/body/url') ?? (texts.url.trim() === '' ? undefined : found)}
      />
      {hasLabel && (
        <TextField
          label={text.algorithm.version}
          name="version"
          maxLength={100}
          autoComplete="off"
          value={texts.label}
          onChange={({ target }) => set({ label: target.value })}
          hint={words.labelHint}
          wrong={errors.get('/body/version')}
        />
      )}
    </>
  );
}

/** The schemas of a version, and beside them the form that is drawn of them, to be tried. */
export function ShapeFields(props: {
  readonly draft: VersionDraft;
  readonly algorithmId: string | undefined;
  readonly example?: Example | undefined;
  readonly tried: (call: Tried | undefined) => void;
  /** What can be done with the result of a trial. */
  readonly children?: ReactNode;
}) {
  const { draft, algorithmId, example, tried, children } = props;
  const words = adminText.algorithms;
  const [shape, setShape] = useState<Shape>('input_schema');
  const faultsIn = (each: Shape): number =>
    draft.broken.includes(each) ? 1 : findingsBelow(draft.findings, `/body/${each}`).length;
  return (
    <div className="playground">
      <section className="card" aria-labelledby="shapes">
        <header>
          <h2 id="shapes">{words.schemas}</h2>
          <Segments
            label={words.schemas}
            options={SHAPES}
            chosen={shape}
            choose={setShape}
            nameOf={(each) => {
              const faults = faultsIn(each);
              return faults === 0 ? words.shapes[each] : `${words.shapes[each]} · ${words.faults(faults)}`;
            }}
          />
        </header>
        <div className="body stack tight">
          <p className="small quiet">{words.shapeHints[shape]}</p>
          <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 9 }} />}>
            <SchemaEditor
              key={shape}
              label={words.shapes[shape]}
              value={draft.texts[shape]}
              findings={findingsBelow(draft.findings, `/body/${shape}`)}
              change={(typed) => draft.set({ [shape]: typed })}
            />
          </Suspense>
        </div>
      </section>
      <div className="stack">
        <Suspense fallback={<Skeleton style={{ height: 420, borderRadius: 14 }} />}>
          <TrialBench draft={draft} algorithmId={algorithmId} example={example} tried={tried}>
            {children}
          </TrialBench>
        </Suspense>
      </div>
    </div>
  );
}

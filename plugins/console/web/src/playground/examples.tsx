import type { Example } from '../api/queries.ts';
import { ChoiceLink } from '../parts/choice-link.tsx';
import { showDate, text } from '../texts/text.ts';
import { OutputView, type OutputShape } from './output-view.tsx';

/** The example with an id, or else the default one. */
export function chosenExample(
  examples: readonly Example[] | undefined,
  id: string | undefined,
): Example | undefined {
  return examples?.find((each) => each.id === id) ?? examples?.find((each) => each.is_default);
}

/** The examples of a version, to be entered in the form; the address names the chosen one. */
export function ExampleChoice({
  examples,
  current,
  isChanged,
}: {
  readonly examples: readonly Example[];
  /** `undefined` where a call is entered instead. */
  readonly current: Example | undefined;
  /** Whether the form holds something else by now. */
  readonly isChanged: boolean;
}) {
  if (examples.length === 0) return null;
  return (
    <nav className="example-choice" aria-label={text.examples.label}>
      <div className="chips">
        {examples.map((example) => (
          <ChoiceLink
            key={example.id}
            to="/algorithms/$algorithmId"
            from="/algorithms/$algorithmId"
            search={({ version }) => ({ version, example: example.is_default ? undefined : example.id })}
            resetScroll={false}
            className="chip all"
            isCurrent={example.id === current?.id}
          >
            {example.name}
            {isChanged && example.id === current?.id && <small>{text.examples.changed}</small>}
            {!example.fits && <small>{text.examples.unfit}</small>}
          </ChoiceLink>
        ))}
      </div>
      {current && current.description !== '' && <p className="small quiet">{current.description}</p>}
      {current && !current.fits && <p className="notice warn small">{text.examples.unfitHint}</p>}
    </nav>
  );
}

/** An example of which the result is shown. */
export interface ShownExample {
  readonly example: Example;
  /** Whether the form holds something else by now. */
  readonly isStale: boolean;
}

/** The result that was saved with an example, so that one sees without an account what comes out. */
export function ExampleResult({
  example,
  isStale,
  shape,
  schema,
}: ShownExample & { readonly shape: OutputShape; readonly schema: unknown }) {
  return (
    <>
      <div className={isStale ? 'notice warn small' : 'notice small'} role="status">
        <strong>{text.examples.result}</strong>
        <p>{isStale ? text.examples.stale : text.examples.saved(showDate(example.created_at))}</p>
      </div>
      <div className={isStale ? 'stack is-stale' : 'stack'}>
        <OutputView output={example.output_data} schema={schema} input={example.input_data} shape={shape} />
      </div>
    </>
  );
}

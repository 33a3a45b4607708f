import { lazy, Suspense, useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Example, Version } from '../../api/queries.ts';
import { Refused } from '../../examples/refused.tsx';
import { part } from '../../part.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { entered } from '../../parts/plain-text.ts';
import { Segments } from '../../parts/segments.tsx';
import { Skeleton } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { TextArea } from '../../parts/text-area.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { findingsBelow, readShape } from './version-draft.ts';

const SchemaEditor = lazy(() => part(() => import('./schema-editor.tsx')));

const CONTENTS = ['input_data', 'params', 'output_data'] as const;
type Content = (typeof CONTENTS)[number];
type Texts = Readonly<Record<Content, string>>;

interface ExampleBody {
  readonly name: string;
  readonly description: string;
  readonly input_data: Record<string, unknown>;
  readonly params: Record<string, unknown>;
  readonly output_data: Record<string, unknown> | null;
  readonly tolerance: { absolute?: number; relative?: number } | null;
}

const ROUTE = '/algorithms/{algorithm_id}/versions/{version_id}/examples';

/** Everything about an example: what it is called, what it gives the version, and what a check expects. */
export function ExampleEditor(props: {
  readonly version: Version;
  /** A new one where it is absent. */
  readonly before: Example | undefined;
  readonly close: () => void;
}) {
  const words = adminText.algorithms;
  const { version, before, close } = props;
  const [first] = useState(() => textsOf(before));
  const [texts, setTexts] = useState<Texts>(first);
  const [content, setContent] = useState<Content>('input_data');
  const path = { algorithm_id: version.algorithm_id, version_id: version.id };
  const save = useChange(
    (body: ExampleBody) =>
      before
        ? dataOf(
            api.PUT(`${ROUTE}/{example_id}`, { params: { path: { ...path, example_id: before.id } }, body }),
          )
        : dataOf(api.POST(ROUTE, { params: { path }, body })),
    close,
  );
  const errors = errorsOf(save.error);
  const findings = [...errors].map(([pointer, message]) => ({ pointer, message }));
  const broken = CONTENTS.filter((each) => readShape(texts[each]) === undefined);
  const [isRefused, setRefused] = useState(false);
  return (
    <FormDialog
      title={before ? text.examples.editTitle : words.newExample}
      close={close}
      className="wide"
      isChanged={CONTENTS.some((each) => texts[each] !== first[each])}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(broken.length > 0);
          if (broken.length === 0) save.mutate(bodyOf(texts, new FormData(event.currentTarget)));
        }}
      >
        <TextField
          label={text.examples.name}
          name="name"
          maxLength={200}
          autoComplete="off"
          hint={text.examples.nameHint}
          defaultValue={before?.name}
          wrong={errors.get('/body/name')}
        />
        <TextArea
          label={text.examples.description}
          name="description"
          maxLength={2000}
          defaultValue={before?.description}
        />
        <div className="stack tight">
          <div className="row">
            <Segments
              label={words.contents}
              options={CONTENTS}
              chosen={content}
              choose={setContent}
              nameOf={(each) => words.contentNames[each]}
              isSmall
            />
          </div>
          {content === 'output_data' && <p className="small quiet">{words.expectedHint}</p>}
          <Suspense fallback={<Skeleton style={{ height: 320, borderRadius: 9 }} />}>
            <SchemaEditor
              key={content}
              label={words.contentNames[content]}
              value={texts[content]}
              findings={findingsBelow(findings, `/body/${content}`)}
              change={(typed) => setTexts((all) => ({ ...all, [content]: typed }))}
            />
          </Suspense>
        </div>
        <fieldset className="field">
          <legend className="label">{words.tolerance}</legend>
          <div className="row tolerance">
            <TextField
              label={words.absolute}
              name="absolute"
              type="number"
              min={0}
              step="any"
              required={false}
              defaultValue={before?.tolerance?.absolute}
              wrong={errors.get('/body/tolerance/absolute')}
            />
            <TextField
              label={words.relative}
              name="relative"
              type="number"
              min={0}
              max={100}
              step="any"
              required={false}
              defaultValue={percentOf(before?.tolerance?.relative)}
              wrong={errors.get('/body/tolerance/relative')}
            />
          </div>
          <p className="hint">{words.toleranceHint}</p>
        </fieldset>
        {isRefused && broken.length > 0 && (
          <p className="notice bad" role="alert">
            {words.brokenShapes(broken.map((each) => words.contentNames[each]).join(', '))}
          </p>
        )}
        {save.error && <Refused error={save.error} />}
        <div className="row">
          <SubmitButton isBusy={save.isPending}>{text.examples.save}</SubmitButton>
          <button type="button" className="button" onClick={close}>
            {text.account.cancel}
          </button>
        </div>
      </form>
    </FormDialog>
  );
}

function textsOf(example: Example | undefined): Texts {
  const written = (content: Content): string => {
    const value = example?.[content];
    return value && (content === 'input_data' || Object.keys(value).length > 0)
      ? JSON.stringify(value, null, 2)
      : '';
  };
  return {
    input_data: written('input_data'),
    params: written('params'),
    output_data: written('output_data'),
  };
}

function bodyOf(texts: Texts, form: FormData): ExampleBody {
  const number = (name: string): number | undefined => {
    const typed = entered(form, name).trim();
    return typed === '' ? undefined : Number(typed);
  };
  const absolute = number('absolute');
  const percent = number('relative');
  const tolerance = {
    ...(absolute !== undefined && { absolute }),
    ...(percent !== undefined && { relative: +(percent / 100).toPrecision(12) }),
  };
  return {
    name: entered(form, 'name').trim(),
    description: entered(form, 'description').trim(),
    input_data: readShape(texts.input_data) ?? {},
    params: readShape(texts.params) ?? {},
    output_data: texts.output_data.trim() === '' ? null : (readShape(texts.output_data) ?? null),
    tolerance: Object.keys(tolerance).length > 0 ? tolerance : null,
  };
}

/** Shares are entered in percent. */
function percentOf(share: number | undefined): number | undefined {
  return share === undefined ? undefined : +(share * 100).toPrecision(12);
}

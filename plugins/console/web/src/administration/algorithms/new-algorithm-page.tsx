import { deepEqual, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import type { Algorithm } from '../../api/queries.ts';
import { Fault } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { useTitle } from '../../parts/title.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { AccessChoice } from './access-choice.tsx';
import { AlgorithmFields, wordsIn } from './algorithm-fields.tsx';
import { KeepTried, saveTried } from './tried-example.tsx';
import type { Tried } from './trial-bench.tsx';
import { textsOf, useVersionDraft, type VersionDraft } from './version-draft.ts';
import { EndpointFields, ShapeFields } from './version-fields.tsx';

type NewAlgorithm = Pick<Algorithm, 'name' | 'type' | 'description' | 'tags' | 'status' | 'access'>;

const FIRST = { ...textsOf(), label: '1.0.0' };

/** Adds an algorithm with its first version: an address and a schema, tried, and then published. */
export function NewAlgorithmPage() {
  const words = adminText.algorithms;
  useTitle(words.add);
  const navigate = useNavigate();
  const draft = useVersionDraft(FIRST, undefined);
  const [isTouched, setTouched] = useState(false);
  const [access, setAccess] = useState<Algorithm['access']>('open');
  const [tried, setTried] = useState<Tried>();
  const [isKept, setKept] = useState(true);
  const [isRefused, setRefused] = useState(false);
  const create = useChange(
    (algorithm: NewAlgorithm) => createAll(algorithm, draft, isKept ? tried : undefined),
    ({ id }) =>
      void navigate({
        to: '/administration/algorithms/$algorithmId',
        params: { algorithmId: id },
        ignoreBlocker: true,
      }),
  );
  const faults = draft.broken.length + draft.findings.length;
  const errors = errorsOf(create.error);
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link to="/administration/algorithms">← {text.sections.algorithms}</Link>
        </p>
        <h1>{words.add}</h1>
        <p className="quiet">{words.addIntro}</p>
      </div>
      <Unsaved when={(isTouched || !deepEqual(FIRST, draft.texts)) && !create.isPending} />
      <form
        id="algorithm"
        className="columns even"
        onInput={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(faults > 0);
          if (faults > 0) return;
          const { submitter } = event.nativeEvent as SubmitEvent;
          const isDraft = submitter?.getAttribute('value') === 'draft';
          create.mutate({
            ...wordsIn(new FormData(event.currentTarget)),
            // Only administrators see a draft.
            ...(isDraft ? { status: 'inactive', access: 'private' } : { status: 'active', access }),
          });
        }}
      >
        <section className="card" aria-labelledby="endpoint">
          <header>
            <h2 id="endpoint">{words.endpoint}</h2>
          </header>
          <div className="body stack">
            <EndpointFields draft={draft} errors={errors} hasLabel={false} />
            <div className="stack tight">
              <AccessChoice access={access} choose={setAccess} />
              <small className="hint">{words.accessHint}</small>
            </div>
          </div>
        </section>
        <section className="card" aria-labelledby="words">
          <header>
            <h2 id="words">{words.inLists}</h2>
          </header>
          <div className="body stack">
            <AlgorithmFields errors={errors} />
          </div>
        </section>
      </form>
      <ShapeFields draft={draft} algorithmId={undefined} tried={setTried}>
        <KeepTried isKept={isKept} keep={setKept} />
      </ShapeFields>
      <div className="stack tight">
        {isRefused && faults > 0 && (
          <p className="notice bad" role="alert">
            {words.hasFaults}
          </p>
        )}
        {create.error && <Fault error={create.error} />}
        <div className="row">
          <SubmitButton form="algorithm" isBusy={create.isPending}>
            {words.publish}
          </SubmitButton>
          <button
            type="submit"
            form="algorithm"
            value="draft"
            className="button"
            aria-disabled={create.isPending}
            onClick={(event) => create.isPending && event.preventDefault()}
          >
            {words.saveDraft}
          </button>
          <span className="small quiet" role="status">
            {create.isPending ? words.saving : !tried && words.publishHint}
          </span>
        </div>
      </div>
    </>
  );
}

/** All of it or nothing: what was made is deleted when the rest is refused. */
async function createAll(
  algorithm: NewAlgorithm,
  { texts, body }: VersionDraft,
  tried: Tried | undefined,
): Promise<Algorithm> {
  // Nobody calls it before it is whole.
  const made = await dataOf(
    api.POST('/algorithms', { body: { ...algorithm, status: 'inactive', access: 'private' } }),
  );
  const path = { algorithm_id: made.id };
  try {
    const version = await dataOf(
      api.POST('/algorithms/{algorithm_id}/versions', {
        params: { path },
        body: { version: texts.label, url: texts.url.trim(), ...body },
      }),
    );
    if (tried) await saveTried(version, tried, adminText.algorithms.firstExample);
    const { status, access } = algorithm;
    return await dataOf(
      api.PUT('/algorithms/{algorithm_id}', { params: { path }, body: { status, access } }),
    );
  } catch (error) {
    await api.DELETE('/algorithms/{algorithm_id}', { params: { path } });
    throw error;
  }
}

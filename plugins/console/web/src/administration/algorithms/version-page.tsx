import { useQuery } from '@tanstack/react-query';
import { deepEqual, Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useChange } from '../../api/change.ts';
import { api, dataOf } from '../../api/client.ts';
import {
  algorithmQuery,
  examplesQuery,
  type Algorithm,
  type Example,
  type Version,
} from '../../api/queries.ts';
import { CheckBadge } from '../../checks/check-badge.tsx';
import { CheckPanel } from '../../checks/check-panel.tsx';
import { Fault, NotFound, Skeleton } from '../../parts/states.tsx';
import { SubmitButton } from '../../parts/submit-button.tsx';
import { useTitle } from '../../parts/title.ts';
import { Unsaved } from '../../parts/unsaved.tsx';
import { errorsOf } from '../../playground/run.ts';
import { adminText, text } from '../../texts/text.ts';
import { copyExamples } from './copy-algorithm.ts';
import { KeepTried, SaveTried, saveTried } from './tried-example.tsx';
import type { Tried } from './trial-bench.tsx';
import { DeleteVersion, MakeDefault, makeDefault, removeVersion } from './version-actions.tsx';
import {
  readShape,
  SHAPES,
  textsOf,
  useVersionDraft,
  type DraftTexts,
  type VersionDraft,
} from './version-draft.ts';
import { VersionExamples } from './version-examples.tsx';
import { EndpointFields, ShapeFields } from './version-fields.tsx';

const HERE = '/administration/algorithms/$algorithmId/versions/$versionId';
/** Stands in the address for a version that is not there yet. */
const NEW = 'new';

/** A version that is changed, or a new one, which may begin as another one of the algorithm is. */
export function VersionPage() {
  const { algorithmId, versionId } = useParams({ from: HERE });
  const { from } = useSearch({ from: HERE });
  const { data: algorithm, error, refetch } = useQuery(algorithmQuery(algorithmId));
  const isNew = versionId === NEW;
  const version = algorithm?.versions.find(({ id }) => id === (isNew ? from : versionId));
  const examples = useQuery({
    ...examplesQuery(algorithmId, version?.id ?? ''),
    enabled: version !== undefined,
  });
  const title = isNew ? adminText.algorithms.newVersion : version?.version;
  useTitle(title ?? text.algorithm.version);
  if (error && !algorithm) return <Fault error={error} retry={() => void refetch()} />;
  if (!algorithm || (version && examples.isPending))
    return <Skeleton style={{ height: 520, borderRadius: 14 }} />;
  if (!isNew && !version) return <NotFound />;
  return (
    <>
      <div className="page-head">
        <p className="crumbs">
          <Link
            to="/administration/algorithms/$algorithmId"
            params={{ algorithmId }}
            search={{ tab: 'versions' }}
          >
            ← {algorithm.name}
          </Link>
        </p>
        <Head algorithm={algorithm} version={isNew ? undefined : version} title={title ?? ''} />
      </div>
      {isNew || !version ? (
        <NewVersion key={from} algorithm={algorithm} from={version} example={defaultOf(examples.data)} />
      ) : (
        <SavedVersion
          key={version.id}
          algorithm={algorithm}
          version={version}
          example={defaultOf(examples.data)}
        />
      )}
    </>
  );
}

function defaultOf(examples: readonly Example[] | undefined): Example | undefined {
  return examples?.find((example) => example.is_default);
}

function Head(props: {
  readonly algorithm: Algorithm;
  readonly version: Version | undefined;
  readonly title: string;
}) {
  const { algorithm, version, title } = props;
  return (
    <div className="row between">
      <div className="row">
        <h1>{title}</h1>
        {version?.is_default && <span className="badge">{text.algorithm.isDefault}</span>}
        {version?.check && <CheckBadge check={version.check} />}
      </div>
      {version && (
        <div className="row">
          <Link
            to={HERE}
            params={{ algorithmId: algorithm.id, versionId: NEW }}
            search={{ from: version.id }}
            className="button"
          >
            {adminText.algorithms.duplicate}
          </Link>
          {!version.is_default && <MakeDefault version={version} />}
          <DeleteVersion algorithm={algorithm} version={version} />
        </div>
      )}
    </div>
  );
}

function NewVersion(props: {
  readonly algorithm: Algorithm;
  readonly from: Version | undefined;
  readonly example: Example | undefined;
}) {
  const words = adminText.algorithms;
  const { algorithm, from, example } = props;
  const navigate = useNavigate();
  const [first] = useState(() => ({ ...textsOf(from), label: '' }));
  const draft = useVersionDraft(first, algorithm.id);
  const [isDefault, setDefault] = useState(false);
  const [takesExamples, setTakesExamples] = useState(true);
  const [tried, setTried] = useState<Tried>();
  const [isKept, setKept] = useState(!from);
  const create = useChange(
    // All of it or nothing: it is the default once it is whole, and can be created again when the rest is refused.
    async () => {
      const made = await dataOf(
        api.POST('/algorithms/{algorithm_id}/versions', {
          params: { path: { algorithm_id: algorithm.id } },
          body: bodyOf(draft, {}),
        }),
      );
      try {
        if (from && takesExamples) await copyExamples(from, made);
        if (tried && isKept) await saveTried(made, tried, words.firstExample);
        if (isDefault) await makeDefault(made);
        return made;
      } catch (error) {
        await removeVersion(made).catch(() => undefined);
        throw error;
      }
    },
    ({ id }) =>
      void navigate({
        to: HERE,
        params: { algorithmId: algorithm.id, versionId: id },
        ignoreBlocker: true,
      }),
  );
  return (
    <VersionForm
      draft={draft}
      isChanged={!deepEqual(first, draft.texts)}
      error={create.error}
      isBusy={create.isPending}
      action={words.createVersion}
      status={create.isPending && words.saving}
      save={() => create.mutate(undefined)}
      fields={
        <>
          {algorithm.versions.length > 0 && (
            <label className="switch">
              <input
                type="checkbox"
                checked={isDefault}
                onChange={({ target }) => setDefault(target.checked)}
              />
              {text.examples.makeDefault}
            </label>
          )}
          {from && example && (
            <label className="switch">
              <input
                type="checkbox"
                checked={takesExamples}
                onChange={({ target }) => setTakesExamples(target.checked)}
              />
              {words.takeExamples(from.version)}
            </label>
          )}
        </>
      }
    >
      <ShapeFields draft={draft} algorithmId={algorithm.id} example={example} tried={setTried}>
        <KeepTried isKept={isKept} keep={setKept} />
      </ShapeFields>
    </VersionForm>
  );
}

function SavedVersion(props: {
  readonly algorithm: Algorithm;
  readonly version: Version;
  readonly example: Example | undefined;
}) {
  const words = adminText.algorithms;
  const { algorithm, version, example } = props;
  /** The version as the fields were filled with it: what others change meanwhile is not taken back. */
  const [before, setBefore] = useState(() => textsOf(version));
  const draft = useVersionDraft(before, algorithm.id);
  const isSaved = deepEqual(before, draft.texts);
  const [seen, setSeen] = useState(version.updated_at);
  if (version.updated_at !== seen) {
    setSeen(version.updated_at);
    const now = textsOf(version);
    if (isSaved && !isAlike(now, before)) {
      setBefore(now);
      draft.set(now);
    }
  }
  const [tried, setTried] = useState<Tried>();
  const path = { algorithm_id: algorithm.id, version_id: version.id };
  const change = useChange(
    (texts: DraftTexts) =>
      dataOf(
        api.PUT('/algorithms/{algorithm_id}/versions/{version_id}', {
          params: { path },
          body: changesOf(draft, before, texts),
        }),
      ),
    (_, texts) => setBefore(texts),
  );
  const unfit = change.data?.unfit_examples ?? [];
  return (
    <>
      <VersionForm
        draft={draft}
        isChanged={!isSaved}
        error={change.error}
        isBusy={change.isPending}
        action={text.keys.save}
        status={change.isPending ? words.saving : change.isSuccess && isSaved && words.savedVersion}
        save={() => change.mutate(draft.texts)}
      >
        <ShapeFields draft={draft} algorithmId={algorithm.id} example={example} tried={setTried}>
          {tried && isSaved && <SaveTried version={version} tried={tried} />}
        </ShapeFields>
        {unfit.length > 0 && isSaved && (
          <div className="notice warn" role="status">
            <p>{words.unfit}</p>
            <ul>
              {unfit.map(({ id, name, message }) => (
                <li key={id}>
                  {name}: {message}
                </li>
              ))}
            </ul>
          </div>
        )}
      </VersionForm>
      <VersionExamples algorithm={algorithm} version={version} />
      <CheckPanel algorithm={algorithm} version={version} />
    </>
  );
}

function VersionForm(props: {
  readonly draft: VersionDraft;
  /** Whether something was entered that is not saved. */
  readonly isChanged: boolean;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly action: string;
  readonly status: ReactNode;
  readonly save: () => void;
  readonly fields?: ReactNode;
  readonly children: ReactNode;
}) {
  const words = adminText.algorithms;
  const { draft, isChanged, error, isBusy, action, status, save, fields, children } = props;
  const [isRefused, setRefused] = useState(false);
  const errors = errorsOf(error);
  const isBroken = draft.broken.length > 0;
  return (
    <>
      <Unsaved when={isChanged && !isBusy} />
      <form
        id="version"
        className="card"
        aria-label={words.endpoint}
        onSubmit={(event) => {
          event.preventDefault();
          setRefused(isBroken);
          if (!isBroken) save();
        }}
      >
        <header>
          <h2>{words.endpoint}</h2>
        </header>
        <div className="body stack">
          <EndpointFields draft={draft} errors={errors} />
          {fields}
        </div>
      </form>
      {children}
      <div className="stack tight">
        {isRefused && isBroken && (
          <p className="notice bad" role="alert">
            {words.brokenShapes(draft.broken.map((shape) => words.shapes[shape]).join(', '))}
          </p>
        )}
        {error !== null && <Fault error={error} />}
        <div className="row">
          <SubmitButton form="version" isBusy={isBusy}>
            {action}
          </SubmitButton>
          <span className="small quiet" role="status">
            {status}
          </span>
        </div>
      </div>
    </>
  );
}

/** Whether two drafts describe the same version, however their JSON is formatted. */
function isAlike(one: DraftTexts, other: DraftTexts): boolean {
  const valuesOf = ({ label, url, ...shapes }: DraftTexts) => [
    label,
    url,
    ...SHAPES.map((shape) => readShape(shapes[shape])),
  ];
  return deepEqual(valuesOf(one), valuesOf(other));
}

type NewBody = Pick<Version, 'version' | 'url' | 'params' | 'input_schema' | 'output_schema'>;

function bodyOf<T extends object>({ texts, body }: VersionDraft, more: T): NewBody & T {
  return {
    version: texts.label.trim(),
    url: texts.url.trim(),
    ...body,
    ...more,
  };
}

/** Only what was changed here. */
function changesOf(draft: VersionDraft, before: DraftTexts, now: DraftTexts): Partial<NewBody> {
  const all = bodyOf(draft, {});
  const sources = {
    version: 'label',
    url: 'url',
    params: 'params',
    input_schema: 'input_schema',
    output_schema: 'output_schema',
  } as const;
  const names = (Object.keys(sources) as (keyof NewBody)[]).filter(
    (name) => before[sources[name]] !== now[sources[name]],
  );
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

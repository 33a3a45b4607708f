import { useId, useRef, useState, type Ref } from 'react';
import { useChange } from '../../api/change.ts';
import { api, ApiError, dataOf } from '../../api/client.ts';
import { part } from '../../part.ts';
import { Question } from '../../parts/confirmation.tsx';
import { Fault } from '../../parts/states.tsx';
import { adminText } from '../../texts/text.ts';
import type { FileFault, ReadFile } from './document.ts';
import { FaultTable, ImportResult, type Imported } from './import-report.tsx';

/** What the pointers of faults of the file begin with. */
const DOCUMENT = '/body/document';

interface Options {
  readonly prune: boolean;
  readonly skip_unknown: boolean;
}

/** Makes the catalogue like a file: first tells what would change, and then changes it. */
export function ImportCard() {
  const words = adminText.transfer;
  const [isChosen, setChosen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const [options, setOptions] = useState<Options>({ prune: false, skip_unknown: false });
  const { check, apply, planned, faults, isBusy, forget } = useImport(options);
  const change = (changed: Partial<Options>): void => {
    setOptions({ ...options, ...changed });
    forget();
  };
  return (
    <section className="card" aria-labelledby="import">
      <header>
        <h2 id="import">{words.import}</h2>
      </header>
      <div className="body stack">
        <FileField
          isBusy={isBusy}
          field={field}
          choose={(chosen) => {
            setChosen(chosen);
            forget();
          }}
        />
        <Switch
          label={words.prune}
          hint={words.pruneHint}
          checked={options.prune}
          isBusy={isBusy}
          change={(prune) => change({ prune })}
        />
        <Switch
          label={words.skipUnknown}
          hint={words.skipUnknownHint}
          checked={options.skip_unknown}
          isBusy={isBusy}
          change={(skip_unknown) => change({ skip_unknown })}
        />
        <div className="row">
          <button
            type="button"
            className={planned ? 'button' : 'button primary'}
            disabled={!isChosen}
            aria-disabled={isBusy}
            onClick={() => {
              // As it is by now: a browser does not tell that the same file was chosen again.
              const file = field.current?.files?.[0];
              if (!file || isBusy) return;
              apply.reset();
              check.mutate(file);
            }}
          >
            {check.isPending ? words.checking : words.check}
          </button>
          <span className="small quiet">{words.checkHint}</span>
        </div>
        <Outcome error={apply.error ?? check.error} faults={faults} hasStopped={apply.isError} />
        {!apply.error && <Report planned={planned} done={apply.data} />}
        {planned && apply.isIdle && (
          <Application planned={planned} isBusy={isBusy} apply={() => apply.mutate(undefined)} />
        )}
        {apply.isPending && <p role="status">{words.applying}</p>}
      </div>
    </section>
  );
}

/** The two steps of an import, and what is known of the file after them. */
function useImport(options: Options) {
  const read = useRef<ReadFile>(undefined);
  const check = useChange(async (chosen: File): Promise<Imported | readonly FileFault[]> => {
    const { readDocument } = await part(() => import('./document.ts'));
    const written = await chosen.text().catch(() => undefined);
    if (written === undefined) return [{ line: undefined, message: adminText.transfer.unreadable }];
    read.current = readDocument(written);
    const { value, faults } = read.current;
    return faults.length > 0 ? faults : bring(value, options, true);
  });
  const apply = useChange(() => bring(read.current!.value, options, false));
  return {
    check,
    apply,
    planned: check.data && !isFaults(check.data) ? check.data : undefined,
    faults: faultsOf(check.data, apply.error ?? check.error, read.current),
    isBusy: check.isPending || apply.isPending,
    forget: () => {
      check.reset();
      apply.reset();
    },
  };
}

function Outcome(props: {
  readonly error: unknown;
  readonly faults: readonly FileFault[];
  /** Whether it stopped while it changed something. */
  readonly hasStopped: boolean;
}) {
  const { error, faults, hasStopped } = props;
  return (
    <>
      {hasStopped && <p>{adminText.transfer.stopped}</p>}
      {error !== null && faults.length === 0 && <Fault error={error} />}
      {faults.length > 0 && <FaultTable faults={faults} />}
    </>
  );
}

function Report({
  planned,
  done,
}: {
  readonly planned: Imported | undefined;
  readonly done: Imported | undefined;
}) {
  const shown = done ?? planned;
  return shown && <ImportResult done={shown} />;
}

/** Makes the changes that were told. Before anything is deleted it asks. */
function Application(props: {
  readonly planned: Imported;
  readonly isBusy: boolean;
  readonly apply: () => void;
}) {
  const { planned, isBusy, apply } = props;
  const words = adminText.transfer;
  const [isAsking, setAsking] = useState(false);
  const deleted = planned.changes.filter(({ action }) => action === 'delete').length;
  if (planned.changes.length === 0) return null;
  return (
    <div className="row">
      <button
        type="button"
        className="button primary"
        onClick={() => (deleted > 0 ? setAsking(true) : apply())}
      >
        {words.apply(planned.changes.length)}
      </button>
      {isAsking && (
        <Question
          title={words.deleteTitle(deleted)}
          action={words.apply(planned.changes.length)}
          isBusy={isBusy}
          confirm={() => {
            setAsking(false);
            apply();
          }}
          close={() => setAsking(false)}
        >
          <p>{words.deleteText}</p>
        </Question>
      )}
    </div>
  );
}

function bring(document: ReadFile['value'], options: Options, dry_run: boolean): Promise<Imported> {
  return dataOf(api.POST('/catalogue/import', { body: { document: { ...document }, ...options, dry_run } }));
}

function isFaults(answer: Imported | readonly FileFault[]): answer is readonly FileFault[] {
  return Array.isArray(answer);
}

/** What is wrong with the file, each at its line: what cannot be read, or what the service refused. */
function faultsOf(
  answer: Imported | readonly FileFault[] | undefined,
  error: unknown,
  read: ReadFile | undefined,
): readonly FileFault[] {
  if (answer && isFaults(answer)) return answer;
  if (!(error instanceof ApiError)) return [];
  return error.errors
    .filter(({ pointer }) => pointer.startsWith(DOCUMENT))
    .map(({ pointer, message }) => {
      const place = pointer.slice(DOCUMENT.length);
      return { line: read?.lineOf(place), message: `${place || '/'} ${message}` };
    });
}

function FileField(props: {
  readonly isBusy: boolean;
  readonly field: Ref<HTMLInputElement>;
  readonly choose: (isChosen: boolean) => void;
}) {
  const { isBusy, field, choose } = props;
  const words = adminText.transfer;
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{words.file}</label>
      <input
        ref={field}
        id={id}
        type="file"
        className="input"
        accept=".yaml,.yml,.json"
        aria-describedby={`${id}-hint`}
        disabled={isBusy}
        onChange={({ target }) => choose(target.files?.length === 1)}
      />
      <p id={`${id}-hint`} className="hint">
        {words.fileHint}
      </p>
    </div>
  );
}

function Switch(props: {
  readonly label: string;
  readonly hint: string;
  readonly checked: boolean;
  readonly isBusy: boolean;
  readonly change: (checked: boolean) => void;
}) {
  const { label, hint, checked, isBusy, change } = props;
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={checked}
        disabled={isBusy}
        onChange={({ target }) => change(target.checked)}
      />
      <span>
        {label} <small className="quiet">{hint}</small>
      </span>
    </label>
  );
}

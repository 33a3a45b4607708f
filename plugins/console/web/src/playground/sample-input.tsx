import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, ApiError, dataOf } from '../api/client.ts';
import { languageModelQuery, type Version } from '../api/queries.ts';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { isObject } from './fields.ts';

/** Lets the language model of the service make up an input, where one is configured. */
export function SampleInput(props: {
  readonly version: Version;
  /** Runs something that needs an account, once there is one. */
  readonly signedIn: (next: () => void) => void;
  readonly take: (input: Record<string, unknown>) => void;
}) {
  const { version, signedIn, take } = props;
  const { data: model } = useQuery(languageModelQuery);
  const [isOpen, setOpen] = useState(false);
  const [wish, setWish] = useState('');
  const [fault, setFault] = useState<string>();
  const abort = useRef<AbortController>(undefined);
  const [isMaking, setMaking] = useState(false);
  useEffect(() => () => abort.current?.abort(), []);
  if (!model?.configured) return null;

  const make = async (): Promise<void> => {
    const own = new AbortController();
    abort.current = own;
    setMaking(true);
    setFault(undefined);
    try {
      const body = { prompt: wish.trim() || text.form.anyWish, version_id: version.id };
      const { data } = await dataOf(api.POST('/llm/generate-data', { body, signal: own.signal }));
      if (isObject(data)) take(data);
      setOpen(false);
    } catch (error) {
      if (!own.signal.aborted) setFault(error instanceof ApiError ? error.message : text.errors.offline);
    } finally {
      setMaking(false);
    }
  };
  if (!isOpen) {
    return (
      <div>
        <button type="button" className="button small" onClick={() => setOpen(true)}>
          {text.form.makeInput}
        </button>
      </div>
    );
  }
  return (
    <div className="sample-input stack tight">
      <label htmlFor="wish" className="small">
        {text.form.wish}
      </label>
      <input
        id="wish"
        className="input"
        value={wish}
        maxLength={8000}
        placeholder={text.form.anyWish}
        autoFocus
        onChange={({ target }) => setWish(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          signedIn(() => void make());
        }}
      />
      <div className="row" role="status">
        {isMaking ? (
          <>
            <button type="button" className="button small danger" onClick={() => abort.current?.abort()}>
              <Icon name="stop" size={15} />
              {text.playground.stop}
            </button>
            <span className="row quiet small">
              <span className="spinner" aria-hidden="true" />
              {text.form.making}
            </span>
          </>
        ) : (
          <>
            <button type="button" className="button small" onClick={() => signedIn(() => void make())}>
              {text.form.make}
            </button>
            <button type="button" className="button plain small" onClick={() => setOpen(false)}>
              {text.account.cancel}
            </button>
          </>
        )}
      </div>
      {fault && (
        <p className="wrong" role="alert">
          {fault}
        </p>
      )}
    </div>
  );
}

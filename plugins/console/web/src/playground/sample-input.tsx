import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { languageModelQuery, type Version } from '../api/queries.ts';
import { text } from '../texts/text.ts';
import { useAsking } from './ask-model.ts';
import { AskingModel, NoModelAnswer } from './asking-model.tsx';
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
  const { isAsking, error, ask, stop } = useAsking();
  if (!model?.configured) return null;

  const make = (): void =>
    signedIn(() => {
      const body = { prompt: wish.trim() || text.form.anyWish, version_id: version.id };
      ask(
        (signal) => dataOf(api.POST('/llm/generate-data', { body, signal })),
        ({ data }) => {
          if (isObject(data)) take(data);
          setOpen(false);
        },
      );
    });
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
        placeholder={text.form.anyWish}
        autoFocus
        onChange={({ target }) => setWish(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
          event.preventDefault();
          make();
        }}
      />
      <div className="row" role="status">
        {isAsking ? (
          <AskingModel stop={stop} />
        ) : (
          <>
            <button type="button" className="button small" onClick={make}>
              {text.form.make}
            </button>
            <button type="button" className="button plain small" onClick={() => setOpen(false)}>
              {text.account.cancel}
            </button>
          </>
        )}
      </div>
      {error !== undefined && <NoModelAnswer error={error} retry={make} />}
    </div>
  );
}

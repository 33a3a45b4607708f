import { ApiError } from '../api/client.ts';
import { Icon } from '../parts/icon.tsx';
import { Fault } from '../parts/states.tsx';
import { showProblem, text } from '../texts/text.ts';
import { Refused } from './failures.tsx';

/** Says that the language model works, and a button that ends the request. */
export function AskingModel({ stop }: { readonly stop: () => void }) {
  return (
    <>
      <button type="button" className="button small danger" onClick={stop}>
        <Icon name="stop" size={15} />
        {text.playground.stop}
      </button>
      <span className="row quiet small">
        <span className="spinner" aria-hidden="true" />
        {text.form.making}
      </span>
    </>
  );
}

/** Why the language model gave no answer. */
export function NoModelAnswer({ error, retry }: { readonly error: unknown; readonly retry: () => void }) {
  if (!(error instanceof ApiError)) return <Fault error={error} retry={retry} />;
  return <Refused error={error} title={showProblem(error.code, error.title)} retry={retry} />;
}

import { useQuery } from '@tanstack/react-query';
import { useContext, useState } from 'react';
import { api, dataOf } from '../api/client.ts';
import { languageModelQuery } from '../api/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { text } from '../texts/text.ts';
import { useAsking } from './ask-model.ts';
import { AskingModel, NoModelAnswer } from './asking-model.tsx';
import { SignedInContext } from './form/contexts.ts';

/** Lets the language model of the service say what a picture shows, where one is configured. */
export function DescribePicture({ url }: { readonly url: string }) {
  const signedIn = useContext(SignedInContext);
  const { data: model } = useQuery({ ...languageModelQuery, enabled: signedIn !== undefined });
  const { isAsking, error, ask, stop } = useAsking();
  const [answer, setAnswer] = useState<{ readonly description: string; readonly model: string }>();
  if (!signedIn || !model?.configured) return null;

  const describe = (): void =>
    signedIn(() =>
      ask(
        (signal) => dataOf(api.POST('/llm/describe-image', { body: { image_url: url }, signal })),
        setAnswer,
      ),
    );
  return (
    <div className="stack tight">
      <div className="row" role="status">
        {isAsking ? (
          <AskingModel stop={stop} />
        ) : (
          <button type="button" className="button small" onClick={describe}>
            {answer ? text.form.describeAgain : text.form.describe}
          </button>
        )}
      </div>
      {error !== undefined && <NoModelAnswer error={error} retry={describe} />}
      {answer && !isAsking && !error && (
        <div className="notice small" role="status">
          <p className="described">{answer.description}</p>
          <div className="row between">
            <p className="quiet">{text.form.described(answer.model)}</p>
            <CopyButton value={answer.description} />
          </div>
        </div>
      )}
    </div>
  );
}

import { ApiError } from '../../api/client.ts';
import { Fault } from '../../parts/states.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { adminText } from '../../texts/text.ts';

interface Found {
  readonly version: string;
  readonly login: string;
  readonly owner: string;
}

/** Asks the server who it is and whose token it has, and says what came back. */
export function ConnectionTest(props: {
  /** Whether there is a server to ask. */
  readonly isSet: boolean;
  readonly test: {
    readonly data: Found | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly mutate: () => void;
  };
}) {
  const { isSet, test } = props;
  const words = adminText.repositories.hosting;
  return (
    <section className="card" aria-labelledby="connection">
      <header>
        <h2 id="connection">{words.connection}</h2>
      </header>
      <div className="body stack">
        <Outcome {...props} />
        {isSet && (
          <div>
            <button
              type="button"
              className="button"
              aria-disabled={test.isPending}
              onClick={() => test.isPending || test.mutate()}
            >
              {words.test}
            </button>
          </div>
        )}
      </div>
    </section>
  );
}

function Outcome({ isSet, test: { data, error, isPending } }: Parameters<typeof ConnectionTest>[0]) {
  const words = adminText.repositories.hosting;
  if (isPending)
    return (
      <p role="status">
        <Waiting>{words.testing}</Waiting>
      </p>
    );
  if (data)
    return (
      <div className="notice good" role="status">
        <h3>{words.good}</h3>
        <p>{words.version(data.version)}</p>
        <p>{words.login(data.login)}</p>
        <p>{words.newOwner(data.owner)}</p>
      </div>
    );
  if (error)
    return (
      <>
        <Fault error={error} />
        {error instanceof ApiError && Object.hasOwn(words.advice, error.code) && (
          <p>{words.advice[error.code]}</p>
        )}
      </>
    );
  return <p className="quiet">{isSet ? words.untested : words.unset}</p>;
}

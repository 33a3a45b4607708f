import { ApiError } from '../api/client.ts';
import { text } from '../texts/text.ts';

/** Why an example was not saved, such as that the version does not accept it. */
export function Refused({ error }: { readonly error: unknown }) {
  if (!(error instanceof ApiError)) {
    return (
      <p className="notice bad" role="alert">
        {text.errors.offline}
      </p>
    );
  }
  return (
    <div className="notice bad" role="alert">
      <p>{error.message}</p>
      {error.errors.length > 1 && (
        <ul className="small">
          {error.errors.slice(0, 20).map(({ pointer, message }) => (
            <li key={pointer + message}>{message}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

import { useChange } from '../../../api/change.ts';
import { api, dataOf } from '../../../api/client.ts';
import type { Algorithm } from '../../../api/queries.ts';
import { Fault } from '../../../parts/states.tsx';
import { Unsaved } from '../../../parts/unsaved.tsx';
import { adminText, text } from '../../../texts/text.ts';
import { AccessChoice } from '../access-choice.tsx';
import { useFollowed } from '../../followed.ts';

/** Changes who sees an algorithm and may call it without a grant. */
export function Visibility({ algorithm }: { readonly algorithm: Algorithm }) {
  const words = adminText.access;
  const { value: access, enter, follow } = useFollowed(algorithm.access, algorithm.access);
  const isChanged = access !== algorithm.access;
  const save = useChange(
    () =>
      dataOf(
        api.PUT('/algorithms/{algorithm_id}', {
          params: { path: { algorithm_id: algorithm.id } },
          body: { access },
        }),
      ),
    follow,
  );
  return (
    <section className="card" aria-labelledby="visibility">
      <header>
        <h2 id="visibility">{words.visibility}</h2>
      </header>
      <form
        className="body stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged && !save.isPending) save.mutate(undefined);
        }}
      >
        <Unsaved when={isChanged && !save.isPending} />
        <AccessChoice access={access} choose={enter} />
        {save.error && <Fault error={save.error} />}
        <div className="row">
          <button type="submit" className="button primary" aria-disabled={!isChanged || save.isPending}>
            {text.keys.save}
          </button>
        </div>
      </form>
    </section>
  );
}

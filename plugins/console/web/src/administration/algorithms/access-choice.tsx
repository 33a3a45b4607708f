import type { Algorithm } from '../../api/queries.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { adminText } from '../../texts/text.ts';

type Access = Algorithm['access'];

/** From the one that most may use to the one that fewest may. */
const ACCESSES = ['open', 'restricted', 'private'] as const;

/** Who sees an algorithm and may call it without a grant. */
export function AccessChoice({
  access,
  choose,
}: {
  readonly access: Access;
  readonly choose: (access: Access) => void;
}) {
  const words = adminText.access;
  return (
    <RadioChoice
      legend={words.withoutGrant}
      options={ACCESSES}
      chosen={access}
      choose={choose}
      show={(each) => (
        <>
          <strong>{words.accesses[each]}</strong> <small className="quiet">{words.meanings[each]}</small>
        </>
      )}
    />
  );
}

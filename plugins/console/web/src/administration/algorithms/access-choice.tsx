import type { Algorithm } from '../../api/queries.ts';
import { RadioChoice } from '../../parts/choice.tsx';
import { text } from '../../texts/text.ts';

type Access = Algorithm['access'];

/** From the one that most may use to the one that fewest may. */
const ACCESSES = ['open', 'restricted', 'private'] as const;

/** Who sees and calls an algorithm. */
export function AccessChoice({
  access,
  choose,
}: {
  readonly access: Access;
  readonly choose: (access: Access) => void;
}) {
  return (
    <RadioChoice
      legend={text.algorithm.access}
      options={ACCESSES}
      chosen={access}
      choose={choose}
      show={(each) => text.algorithm.accesses[each]}
    />
  );
}

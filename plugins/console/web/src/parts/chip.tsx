import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';

/** Something that was chosen, which a click takes away. */
export function Chip(props: {
  readonly name: string;
  readonly remove: () => void;
  readonly autoFocus?: boolean;
}) {
  const { name, remove, autoFocus } = props;
  return (
    <button
      type="button"
      className="chip all"
      autoFocus={autoFocus}
      aria-label={text.catalogue.remove(name)}
      onClick={remove}
    >
      <span>{name}</span>
      <Icon name="close" size={14} />
    </button>
  );
}

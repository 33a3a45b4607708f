/** A choice of one of a few, which all stay in sight. */
export function Segments<T extends string>(props: {
  /** What is chosen, for a reader of the screen. */
  readonly label: string;
  readonly options: readonly T[];
  readonly chosen: T | undefined;
  readonly choose: (option: T) => void;
  readonly nameOf: (option: T) => string;
  readonly isDisabled?: (option: T) => boolean;
  readonly isSmall?: boolean;
}) {
  const { label, options, chosen, choose, nameOf, isDisabled, isSmall = false } = props;
  return (
    <div className={isSmall ? 'segments small' : 'segments'} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option}
          type="button"
          aria-pressed={option === chosen}
          disabled={isDisabled?.(option)}
          onClick={() => choose(option)}
        >
          {nameOf(option)}
        </button>
      ))}
    </div>
  );
}

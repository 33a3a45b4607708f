import { text } from '../texts/text.ts';

/** How code of a plugin failed. */
export type PlaceFault =
  { readonly kind: 'missing' | 'slow' | 'no-mount' } | { readonly kind: 'thrown'; readonly message: string };

/** Says within the place of a page or view that it failed; all else goes on. */
export function PlaceFaultNotice(props: {
  readonly plugin: string;
  readonly fault: PlaceFault;
  readonly retry: () => void;
}) {
  const { plugin, fault, retry } = props;
  return (
    <div className="notice bad" role="alert">
      <h3>{text.pages.failed}</h3>
      <p>{fault.kind === 'thrown' ? text.pages.thrown(plugin) : text.pages.faults[fault.kind](plugin)}</p>
      {fault.kind === 'thrown' && (
        <p className="small">
          <code>{fault.message}</code>
        </p>
      )}
      <div>
        <button type="button" className="button small" onClick={retry}>
          {text.errors.retry}
        </button>
      </div>
    </div>
  );
}

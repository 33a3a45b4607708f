import { text } from '../texts/text.ts';

/** How code of a plugin failed. */
export type PlaceFault =
  | { readonly kind: 'missing' | 'slow' | 'no-mount' }
  | { readonly kind: 'thrown'; readonly message: string };

/** Says within the place of a page or view that it failed; all else goes on. */
export function PlaceFaultNotice(props: {
  readonly plugin: string;
  readonly fault: PlaceFault;
  readonly retry: () => void;
}) {
  const { plugin, fault, retry } = props;
  return (
    <div className="notice bad" role="alert">
      {/* No heading, because it stands on pages as well as within results. */}
      <p>
        <strong>{text.pages.failed}</strong>
      </p>
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

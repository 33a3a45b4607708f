import { showMoment } from '../texts/text.ts';

/** A time in short, such as "3 min ago", with the whole of it under the pointer. */
export function Moment({ iso, show }: { readonly iso: string; readonly show: (iso: string) => string }) {
  return (
    <time dateTime={iso} title={showMoment(iso)}>
      {show(iso)}
    </time>
  );
}

/** How many bytes of a call are payload, in SQL: told by the heads of the values, which are not read for it. */
export const PAYLOAD_BYTES = ['input_data', 'params', 'output_data']
  .map((column) => `COALESCE(octet_length(${column}), 0)`)
  .join(' + ');

/** A call whose payload was measured. */
export interface Sized {
  readonly id: string;
  readonly size: number;
}

/** The first of them that have no more bytes together, or the first one alone. */
export function withinBytes<T extends Sized>(calls: readonly T[], mostBytes: number): readonly T[] {
  let bytes = 0;
  const fit = calls.findIndex(({ size }, index) => (bytes += size) > mostBytes && index > 0);
  return fit === -1 ? calls : calls.slice(0, fit);
}

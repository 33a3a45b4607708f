/** SQL for the payload bytes of a call. The engines know the length of a value without reading it. */
export const PAYLOAD_BYTES = ['input_data', 'params', 'output_data']
  .map((column) => `COALESCE(octet_length(${column}), 0)`)
  .join(' + ');

/** A call with its payload size in bytes. */
export interface Sized {
  readonly id: string;
  readonly size: number;
}

/** The first calls that together have at most `mostBytes`, and at least one call. */
export function withinBytes<T extends Sized>(calls: readonly T[], mostBytes: number): readonly T[] {
  let bytes = 0;
  const fit = calls.findIndex(({ size }, index) => (bytes += size) > mostBytes && index > 0);
  return fit === -1 ? calls : calls.slice(0, fit);
}

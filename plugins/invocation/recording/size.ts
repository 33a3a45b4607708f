import type { CallRow } from './call-row.ts';

/** How much of a record is payload, in characters. */
export function payloadCharacters({ input_data, params, output_data }: CallRow): number {
  return (input_data?.length ?? 0) + (params?.length ?? 0) + (output_data?.length ?? 0);
}

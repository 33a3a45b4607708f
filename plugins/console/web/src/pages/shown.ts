/** What a view of a plugin shows. */
export interface Shown {
  readonly value: unknown;
  readonly schema: unknown;
  readonly input: unknown;
}

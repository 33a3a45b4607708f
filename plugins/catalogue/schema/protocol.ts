import type { SchemaFinding } from '../contract.ts';

/** What the main thread asks of a worker. The schema's text is left out when the worker has compiled it before. */
export type SchemaRequest =
  | { readonly kind: 'accept'; readonly key: string; readonly schema: string }
  | {
      readonly kind: 'check';
      readonly key: string;
      readonly schema: string | undefined;
      readonly value: string;
    };

/** What a worker says: that it is ready, once; and for each request that it compiled, if it had to, and what it found. */
export type SchemaAnswer =
  | { readonly kind: 'ready' | 'compiled' }
  | { readonly kind: 'done'; readonly findings: readonly SchemaFinding[] };

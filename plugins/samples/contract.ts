import { extensionPoint } from '../../core/index.ts';

/**
 * The default export of an algorithm's module. Runs in a worker process with a deadline and a limit on memory, and
 * without the environment; may be asynchronous. Throw an error named `InputRejected` to refuse input in words for the caller. A plain object is
 * `output_data`; any other JSON value becomes `{"result": value}`.
 */
export type EmbeddedRun = (
  input: Readonly<Record<string, unknown>>,
  params: Readonly<Record<string, unknown>>,
) => unknown;

/** An algorithm that a plugin brings along. A version calls it through the URL `plugin:<id>`. */
export interface EmbeddedAlgorithm {
  /** `<plugin>/<name>`, lower case with hyphens, unique in the installation. */
  readonly id: string;
  /** The module to load in the worker: `new URL('./thing.js', import.meta.url)`. Keep the kernel out of its imports. */
  readonly module: URL;
}

const ID = /^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/;

/** What the URL scheme `plugin:` reaches. Any plugin may fill it. */
export const EMBEDDED_ALGORITHMS = extensionPoint<EmbeddedAlgorithm>('samples:embedded-algorithms', {
  faultOf: ({ id }) =>
    ID.test(id) ? undefined : `has the id "${id}"; it must have the form "<plugin>/<name>"`,
  keysOf: ({ id }) => [id],
});

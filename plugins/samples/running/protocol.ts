/** What a worker is asked to do. */
export interface Job {
  /** URL of the module whose default export runs. */
  readonly module: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly maxOutputBytes: number;
}

/** What a worker answers. */
export type Answer =
  | { readonly kind: 'done'; readonly json: string }
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly detail: string };

/** An answer, and whether the worker has grown so much that a fresh one should do the next job. */
export interface Report {
  readonly answer: Answer;
  readonly spent: boolean;
}

/** How a worker ended without an answer. */
export type Crash =
  | { readonly kind: 'out-of-memory' }
  | { readonly kind: 'crashed'; readonly detail: string };

/** What came of a job: an answer, a crash, or why the pool gave it up. */
export type Verdict =
  | Answer
  | Crash
  | { readonly kind: 'timeout' }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'busy'; readonly waiting: number }
  | { readonly kind: 'stopped' };

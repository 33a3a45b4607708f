/** Carries out the orders of a thread; created once when the thread starts. */
export interface Answerer<Order = unknown, Answer = unknown> {
  /** Carries out an order. Its errors are rethrown by `WorkerCalls.ask` as an `Error` with message and `code`. */
  answer(order: Order): Answer;
  /** Called before the thread ends. */
  end?(): void;
}

/** A module for `WorkerCalls`. It should import little, because every thread loads its own copy. */
export interface WorkerModule {
  readonly default: (data: unknown) => Answerer;
}

/** The data that the thread is started with. */
export interface WorkerData {
  /** The URL of the module. */
  readonly module: string;
  /** Copied for the module. */
  readonly data: unknown;
}

export interface WorkerOrder<Order = unknown> {
  readonly order: Order;
}

export interface WorkerReport<Answer = unknown> {
  readonly answer?: Answer;
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/** Sent instead of an order: ends the thread after all earlier orders. */
export const END = 'end';

/** What a thread answers with, made once when it begins. */
export interface Answerer<Order = unknown, Answer = unknown> {
  /** What it throws is thrown where the thread was asked: an `Error` with its message and `code`. */
  answer(order: Order): Answer;
  /** Called before the thread ends. */
  end?(): void;
}

/** A module for `WorkerCalls`. It should import little: every thread has a copy of its own. */
export interface WorkerModule {
  readonly default: (data: unknown) => Answerer;
}

/** What the thread is started with. */
export interface WorkerData {
  /** The module's address. */
  readonly module: string;
  /** Copied for the module. */
  readonly data: unknown;
}

export interface WorkerOrder<Order = unknown> {
  readonly id: number;
  readonly order: Order;
}

export interface WorkerReport<Answer = unknown> {
  readonly id: number;
  readonly answer?: Answer;
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/** In place of an order: end, once all before it is done. */
export const END = 'end';

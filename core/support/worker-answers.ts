import { parentPort, workerData } from 'node:worker_threads';

/** Carries out the orders of a thread; created once when the thread starts. */
export interface Answerer<Order, Answer> {
  /** Carries out an order. Its errors are rethrown by `WorkerCalls.ask` as an `Error` with message and `code`. */
  answer(order: Order): Answer;
  /** Called before the thread ends. */
  end?(): void;
}

/** An order, or the request to end the thread after all earlier orders. */
export type WorkerMessage<Order> = { readonly order: Order } | 'end';

export interface WorkerReport<Answer> {
  readonly answer?: Answer;
  readonly failure?: { readonly message: string; readonly code: string | undefined };
}

/** Answers the orders of `WorkerCalls`, in the thread that it starts. `create` gets a copy of its `data`. */
export function answerOrders<Order, Answer>(create: (data: never) => Answerer<Order, Answer>): void {
  const answerer = create(workerData as never);
  const report = (order: Order): WorkerReport<Answer> => {
    try {
      return { answer: answerer.answer(order) };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException | null)?.code;
      return { failure: { message: error instanceof Error ? error.message : String(error), code } };
    }
  };
  parentPort?.on('message', (message: WorkerMessage<Order>) => {
    if (message !== 'end') return parentPort?.postMessage(report(message.order));
    answerer.end?.();
    parentPort?.close();
  });
}

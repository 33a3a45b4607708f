/** The entry of the threads of `WorkerCalls`. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  END,
  type WorkerData,
  type WorkerModule,
  type WorkerOrder,
  type WorkerReport,
} from './worker-messages.ts';

const { module, data } = workerData as WorkerData;
const { default: create } = (await import(module)) as WorkerModule;
const answerer = create(data);

function report({ order }: WorkerOrder): WorkerReport {
  try {
    return { answer: answerer.answer(order) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException | null)?.code;
    return { failure: { message: error instanceof Error ? error.message : String(error), code } };
  }
}

parentPort?.on('message', (message: WorkerOrder | typeof END) => {
  if (message !== END) return parentPort?.postMessage(report(message));
  answerer.end?.();
  parentPort?.close();
});

import { EventEmitter } from 'node:events';

/**
 * Ends one exchange before its time. undici takes an emitter of `abort` in the place of an `AbortSignal`, which every call
 * would have to create, at several times the cost.
 */
export class Ending extends EventEmitter<{ abort: [] }> {
  aborted = false;
  reason: Error | undefined;

  /** Ends the exchange; only the first reason counts. */
  abort(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.emit('abort');
  }

  /** Resolves or rejects as the work does, or rejects with the reason when the exchange is ended first. */
  before<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.once('abort', () => reject(this.reason!));
      work.then(resolve, reject);
    });
  }
}

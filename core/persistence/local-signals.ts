import type { Signals } from './signals.ts';

type Forget = (key: string | undefined) => void;

/** Signals within this process. */
export class LocalSignals implements Signals {
  readonly #subscribers = new Map<string, Forget[]>();

  async publish(topic: string, key: string): Promise<void> {
    this.tell(topic, key);
  }

  subscribe(topic: string, forget: Forget): void {
    const subscribers = this.#subscribers.get(topic);
    if (subscribers) subscribers.push(forget);
    else this.#subscribers.set(topic, [forget]);
  }

  tell(topic: string, key: string | undefined): void {
    for (const forget of this.#subscribers.get(topic) ?? []) forget(key);
  }

  /** Messages may have been missed: everybody forgets everything. */
  tellAllToForget(): void {
    for (const topic of this.#subscribers.keys()) this.tell(topic, undefined);
  }
}

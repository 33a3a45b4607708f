import { store, stored } from '../storage.ts';

const STORED = 'vitrine-recent';
const MOST = 5;

/** The ids of the algorithms that were looked at last, the latest first. Their names are the service's to tell. */
export function recentAlgorithms(): readonly string[] {
  return stored(STORED)?.split(' ') ?? [];
}

export function noteAlgorithm(id: string): void {
  const others = recentAlgorithms().filter((each) => each !== id);
  store(STORED, [id, ...others].slice(0, MOST).join(' '));
}

export function forgetRecent(): void {
  store(STORED, undefined);
}

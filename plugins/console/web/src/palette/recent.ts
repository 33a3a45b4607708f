const STORED = 'vitrine-recent';
const MOST = 5;

/** The ids of the algorithms that were looked at last, the latest first. Their names are the service's to tell. */
export function recentAlgorithms(): readonly string[] {
  const stored = localStorage.getItem(STORED);
  return stored ? stored.split(' ') : [];
}

export function noteAlgorithm(id: string): void {
  const others = recentAlgorithms().filter((each) => each !== id);
  localStorage.setItem(STORED, [id, ...others].slice(0, MOST).join(' '));
}

export function forgetRecent(): void {
  localStorage.removeItem(STORED);
}

/** Tells a person who waits how far it is; results go to standard output alone. */
export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}

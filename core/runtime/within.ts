/** Waits for work, but no longer than so many milliseconds: it then goes on unattended, and this throws what `late` makes. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let end: NodeJS.Immediate | undefined;
  const deadline = new Promise<never>((_, reject) => {
    // Timers come before sockets: what came in time while this process stood still has yet to be read.
    timer = setTimeout(() => (end = setImmediate(() => reject(late()))), milliseconds);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
    clearImmediate(end);
  }
}

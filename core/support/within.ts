import { setDeadline } from './deadline.ts';

/** Waits for work, but no longer than so many milliseconds: it then goes on unattended, and this throws what `late` makes. */
export async function within<T>(milliseconds: number, work: Promise<T>, late: () => Error): Promise<T> {
  let callOff: (() => void) | undefined;
  const deadline = new Promise<never>((_, reject) => {
    callOff = setDeadline(milliseconds, () => reject(late()));
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    callOff?.();
  }
}

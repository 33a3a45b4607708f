import type { Fault } from '../core/errors/startup-error.ts';

/** The result of a command: sentences for people, data for programs. */
export interface Answer {
  readonly message: string;
  readonly data: unknown;
}

/** Prints the result of a command to standard output: data with `--json`, otherwise sentences. */
export function print(answer: Answer, json: boolean): void {
  process.stdout.write(json ? `${JSON.stringify(answer.data, null, 2)}\n` : `${answer.message.trimEnd()}\n`);
}

/** Prints why a command failed: in one paragraph, or with each fault on its own for programs. */
export function printFailure(message: string, json: boolean, faults: readonly Fault[] = []): void {
  const data = failureData(message, faults);
  process.stderr.write(json ? `${JSON.stringify(data)}\n` : `\n${message}\n`);
}

/** A failure for programs. */
export function failureData(message: string, faults: readonly Fault[]): object {
  return { error: message, ...(faults.length > 0 && { faults }) };
}

/** Allows a reader such as `head` to close standard output or standard error early; the rest is not written. */
export function ignoreClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
  }
}

/** Resolves when everything printed so far was written, or its reader has closed the stream. */
export async function printed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => stream.write('', () => resolve()));
  }
}

/** Text in columns, padded to the widest entry. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, index) => (widths[index] = Math.max(widths[index] ?? 0, cell.length)));
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

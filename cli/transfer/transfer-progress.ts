/** Told while a long transfer runs. */
export interface TransferProgress {
  /** What is done with which table: `invocation_calls`. */
  step(what: string, table: string, total?: number): void;
  /** Adds rows to the number of those that are done. */
  rows(count: number): void;
  done(): void;
}

/** Reports each batch of rows as it passes. */
export async function* counted<T>(
  batches: AsyncIterable<readonly T[]>,
  progress: TransferProgress,
): AsyncGenerator<readonly T[]> {
  for await (const batch of batches) {
    yield batch;
    progress.rows(batch.length);
  }
}

import type { TransferProgress } from './transfer-progress.ts';
import type { Clock } from '../../core/support/clock.ts';

/** Between two updates of the line at a terminal, and between two lines elsewhere; milliseconds. */
const AT_TERMINAL_MS = 200;
const ELSEWHERE_MS = 10_000;

const SILENT: TransferProgress = { step: () => undefined, rows: () => undefined, done: () => undefined };

/**
 * Shows progress on standard error: one line that changes at a terminal, a line every ten seconds elsewhere, and nothing for
 * programs, which read JSON.
 */
export function showProgress(clock: Pick<Clock, 'elapsed'>, json: boolean): TransferProgress {
  if (json) return SILENT;
  const { stderr } = process;
  const pauseMs = stderr.isTTY ? AT_TERMINAL_MS : ELSEWHERE_MS;
  let shown = clock.elapsed();
  let isLineOpen = false;
  let current = { what: '', table: '', total: undefined as number | undefined };
  let done = 0;
  const show = (): void => {
    const { what, table, total } = current;
    const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
    const line = `${what} ${table}: ${done.toLocaleString('en')}${of} rows`;
    // At a terminal the line is written over, and what was behind its new end is erased.
    stderr.write(stderr.isTTY ? `\r${line}\u001b[K` : `${line}\n`);
    isLineOpen = stderr.isTTY;
    shown = clock.elapsed();
  };
  const showWhenDue = (): void => {
    if (clock.elapsed() - shown >= pauseMs) show();
  };
  return {
    step: (what, table, total) => {
      current = { what, table, total };
      done = 0;
      showWhenDue();
    },
    rows: (count) => {
      done += count;
      showWhenDue();
    },
    done: () => {
      if (isLineOpen) stderr.write('\r\u001b[K');
      isLineOpen = false;
    },
  };
}

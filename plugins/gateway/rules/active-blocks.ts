import { isoTime, type Connection } from '../../../core/index.ts';
import { BlockRow } from '../models.ts';

/** The block rules that hold at a time. */
export function activeBlocks(connection: Connection, now: number) {
  return BlockRow.query(connection).where((block) =>
    block.whereNull('until').orWhere('until', '>', isoTime(now)),
  );
}

/** The block rules whose time is over. */
export function endedBlocks(connection: Connection, now: number) {
  return BlockRow.query(connection).where('until', '<=', isoTime(now));
}

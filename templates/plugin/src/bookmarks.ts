import { isoTime, type Audit, type Clock, type Database, type Transaction } from 'vitrine';
import { AlgorithmNotFound, type Catalogue } from 'vitrine/contracts/catalogue';
import type { MyPluginSettings } from './config.ts';
import type { Bookmark, Bookmarks } from './contract.ts';
import { BookmarkRow, OwnerRow } from './models.ts';
import { BookmarkNotFound, TooManyBookmarks } from './problems.ts';

/** Algorithms that `tidy` looks up at once. */
const BATCH = 100;

interface Needs {
  readonly database: Database;
  readonly clock: Clock;
  readonly catalogue: Catalogue;
  readonly audit: Audit;
  readonly settings: MyPluginSettings;
}

export function createBookmarks({ database, clock, catalogue, audit, settings }: Needs): Bookmarks {
  return {
    async put(user, algorithmId, note, by) {
      // Passing the user makes a private algorithm unknown to those who may not see it.
      const { name } = await catalogue.algorithm(algorithmId, user);
      const target = { kind: 'bookmark', id: algorithmId, name };
      return database.transaction(async (trx) => {
        await lockOwner(trx, user.userId);
        const before = await BookmarkRow.query(trx).findById([user.userId, algorithmId]).forUpdate();
        if (before) {
          const after = await before.$query(trx).patchAndFetch({ note });
          await audit.record(trx, by, { action: 'my-plugin:bookmark.update', target, before, after });
          return shown(after);
        }
        const count = await BookmarkRow.query(trx).where('user_id', user.userId).resultSize();
        if (count >= settings.max_bookmarks) {
          throw TooManyBookmarks(
            `You have ${count} bookmarks, and ${settings.max_bookmarks} is the limit. Delete one first.`,
          );
        }
        const after = await BookmarkRow.query(trx).insert({
          user_id: user.userId,
          algorithm_id: algorithmId,
          note,
          created_at: isoTime(clock.now()),
        });
        await audit.record(trx, by, { action: 'my-plugin:bookmark.create', target, after });
        return shown(after);
      });
    },

    async list({ userId }, { skip, limit }) {
      const { results, total } = await BookmarkRow.query(database.knex)
        .where('user_id', userId)
        .orderBy([{ column: 'created_at', order: 'desc' }, 'algorithm_id'])
        .range(skip, skip + limit - 1);
      return { bookmarks: results.map(shown), total };
    },

    async remove({ userId }, algorithmId, by) {
      await database.transaction(async (trx) => {
        // The lock has a second deletion wait for this one, and then find nothing.
        const before = await BookmarkRow.query(trx).findById([userId, algorithmId]).forUpdate();
        if (!before) throw BookmarkNotFound(`You have no bookmark of the algorithm "${algorithmId}".`);
        await before.$query(trx).delete();
        const target = { kind: 'bookmark', id: algorithmId };
        await audit.record(trx, by, { action: 'my-plugin:bookmark.delete', target, before });
      });
    },

    async forget(algorithmId) {
      await database.transaction(async (trx) => {
        await BookmarkRow.query(trx).where('algorithm_id', algorithmId).delete();
      });
    },

    async takeBack(trx, userId) {
      await lockOwner(trx, userId);
      await BookmarkRow.query(trx).where('user_id', userId).delete();
      await OwnerRow.query(trx).deleteById(userId);
    },

    async tidy(signal) {
      for (let last = ''; !signal.aborted;) {
        const rows = await BookmarkRow.query(database.knex)
          .distinct('algorithm_id')
          .where('algorithm_id', '>', last)
          .orderBy('algorithm_id')
          .limit(BATCH);
        for (const { algorithm_id } of rows) {
          if (!(await exists(catalogue, algorithm_id))) await this.forget(algorithm_id);
        }
        if (rows.length < BATCH) return;
        last = rows.at(-1)!.algorithm_id;
      }
    },
  };
}

/**
 * Until the transaction ends, other requests of the account wait here: none of them adds a bookmark after this one has counted.
 * The bookmarks themselves cannot be locked before there are any.
 */
async function lockOwner(trx: Transaction, user_id: string): Promise<void> {
  await OwnerRow.query(trx).insert({ user_id }).onConflict('user_id').merge();
}

async function exists(catalogue: Catalogue, algorithmId: string): Promise<boolean> {
  try {
    await catalogue.algorithm(algorithmId);
    return true;
  } catch (error) {
    if (AlgorithmNotFound.is(error)) return false;
    throw error;
  }
}

function shown({ algorithm_id, note, created_at }: BookmarkRow): Bookmark {
  return { algorithm_id, note, created_at };
}

import { token, type Author, type Transaction, type UserPrincipal } from 'vitrine';

/** An algorithm that an account wants to find again. */
export interface Bookmark {
  readonly algorithm_id: string;
  readonly note: string;
  readonly created_at: string;
}

/** One page of the bookmarks of an account, and how many it has in all. */
export interface BookmarkPage {
  readonly bookmarks: Bookmark[];
  readonly total: number;
}

/** The bookmarks of all accounts. Other plugins use it by this token. */
export interface Bookmarks {
  /** Throws `AlgorithmNotFound`, and `TooManyBookmarks` when the account has as many as it may have. */
  put(user: UserPrincipal, algorithmId: string, note: string, by: Author): Promise<Bookmark>;
  /** Newest first. */
  list(user: UserPrincipal, page: { readonly skip: number; readonly limit: number }): Promise<BookmarkPage>;
  /** Throws `BookmarkNotFound`. */
  remove(user: UserPrincipal, algorithmId: string, by: Author): Promise<void>;
  /** Deletes the bookmarks of an algorithm. */
  forget(algorithmId: string): Promise<void>;
  /** Deletes the bookmarks of an account, in the transaction that deletes the account. */
  takeBack(trx: Transaction, userId: string): Promise<void>;
  /** Deletes the bookmarks of algorithms that do not exist any more. */
  tidy(signal: AbortSignal): Promise<void>;
}

export const BOOKMARKS = token<Bookmarks>('my-plugin:bookmarks');

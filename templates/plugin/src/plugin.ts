import { AUDIT, CLOCK, contribute, DATABASE, definePlugin, job, listen, service } from 'vitrine';
import { algorithmDeleted, CATALOGUE } from 'vitrine/contracts/catalogue';
import { ACCOUNT_BELONGINGS } from 'vitrine/contracts/users';
import { createBookmarks } from './bookmarks.ts';
import { MyPluginSettings } from './config.ts';
import { BOOKMARKS } from './contract.ts';
import { migrations } from './migrations.ts';
import { bookmarksPage } from './pages.ts';
import { BookmarkNotFound, TooManyBookmarks } from './problems.ts';
import { routes } from './routes.ts';

export default definePlugin({
  id: 'my-plugin',
  version: '1.0.0',
  api: '^1.0',
  summary: 'Bookmarks of algorithms',
  requires: ['users', 'catalogue'],
  config: MyPluginSettings,
  services: [
    service({
      token: BOOKMARKS,
      deps: {
        database: DATABASE,
        clock: CLOCK,
        catalogue: CATALOGUE,
        audit: AUDIT,
        settings: MyPluginSettings.token,
      },
      create: createBookmarks,
    }),
  ],
  routes,
  pages: [bookmarksPage],
  migrations,
  problems: [BookmarkNotFound, TooManyBookmarks],
  events: {
    listens: [
      listen(algorithmDeleted, {
        deps: { bookmarks: BOOKMARKS },
        handle: ({ algorithm_id }, { bookmarks }) => bookmarks.forget(algorithm_id),
      }),
    ],
  },
  jobs: [
    job({
      name: 'tidy',
      // A listener hears an event at most once, and not at all when the process dies: the job makes up for it.
      summary: 'Deletes bookmarks of algorithms that do not exist any more',
      every: '1d',
      deps: { bookmarks: BOOKMARKS },
      run: ({ signal }, { bookmarks }) => bookmarks.tidy(signal),
    }),
  ],
  contributes: [
    contribute(ACCOUNT_BELONGINGS, {
      deps: { bookmarks: BOOKMARKS },
      create: ({ bookmarks }) => ({
        name: 'my-plugin:bookmarks',
        takeBack: (trx, userId) => bookmarks.takeBack(trx, userId),
      }),
    }),
  ],
});

import { problem } from 'vitrine';

export const BookmarkNotFound = problem({
  code: 'my_plugin_bookmark_not_found',
  status: 404,
  title: 'The bookmark does not exist',
  description: 'The account has no bookmark of this algorithm.',
});

export const TooManyBookmarks = problem({
  code: 'my_plugin_too_many_bookmarks',
  status: 409,
  title: 'There are too many bookmarks',
  description: 'The account has as many bookmarks as the setting `max_bookmarks` allows.',
});

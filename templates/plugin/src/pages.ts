import { page } from 'vitrine';

/** A page of the console, without code: each panel shows what one of the operations answers. */
export const bookmarksPage = page({
  id: 'bookmarks',
  title: { en: 'Bookmarks', zh: '书签' },
  icon: 'star',
  access: 'user',
  kind: 'panels',
  panels: [
    {
      kind: 'figure',
      title: { en: 'Your bookmarks', zh: '您的书签' },
      from: 'listMyPluginBookmarks',
      value: '/total',
    },
    {
      kind: 'table',
      title: { en: 'Latest', zh: '最近的书签' },
      from: 'listMyPluginBookmarks',
      rows: '/bookmarks',
      columns: [
        { title: { en: 'Algorithm', zh: '算法' }, value: '/algorithm_id' },
        { title: { en: 'Note', zh: '备注' }, value: '/note' },
        { title: { en: 'Made', zh: '时间' }, value: '/created_at' },
      ],
    },
  ],
});

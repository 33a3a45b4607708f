import { defineSettings, setting, type SettingsOf, Type } from 'vitrine';

/** The section `my-plugin` of the settings; an operator may also set `MY_PLUGIN_MAX_BOOKMARKS`. */
export const MyPluginSettings = defineSettings('my-plugin', {
  max_bookmarks: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    default: 100,
    description: 'Bookmarks that one account may have.',
  }),
});
export type MyPluginSettings = SettingsOf<typeof MyPluginSettings>;

import { defineSettings, setting, Type, type SettingsOf } from '../../core/index.ts';

export const RepohostSettings = defineSettings('repohost', {
  create_private: setting(Type.Boolean(), {
    default: true,
    description: 'Whether a new repository is private when the request does not say.',
  }),
  default_branch: setting(
    Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]*$' }),
    {
      default: 'main',
      description: 'The first branch of a new repository, which begins with a README.',
    },
  ),
});
export type RepohostSettings = SettingsOf<typeof RepohostSettings>;

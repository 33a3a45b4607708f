import { useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { SECTIONS } from '../administration/sections.ts';
import { algorithmQuery, algorithmsQuery, meQuery, type Algorithm } from '../api/queries.ts';
import { useIsOn, usePageList, useWords } from '../pages/page-list.ts';
import type { IconName } from '../parts/icon.tsx';
import { docsUrl } from '../place.ts';
import { chooseLanguage, LANGUAGES, showType, text, useLanguage, type Language } from '../texts/text.ts';
import { chooseTheme, useTheme } from '../theme.ts';
import { recentAlgorithms } from './recent.ts';

const MOST_FOUND = 8;

/** Something that can be chosen in the palette. */
export interface Command {
  readonly id: string;
  readonly icon: IconName;
  readonly label: string;
  readonly hint?: string | undefined;
  run(): void;
}

export interface CommandGroup {
  readonly id: string;
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Actions of the shell around the palette. */
interface OwnActions {
  readonly showShortcuts: () => void;
  readonly signOut: () => void;
}

/** What fits a word: algorithms as the service finds them, or the recent ones; pages; actions. */
export function useCommands(typed: string, wanted: string, own: OwnActions) {
  const { algorithms, isFetching, error } = useAlgorithms(typed === '' ? '' : wanted);
  const fits = ({ label, hint = '' }: Command): boolean =>
    `${label} ${hint}`.toLowerCase().includes(typed.toLowerCase());
  const groups: readonly CommandGroup[] = [
    {
      id: 'algorithms',
      title: typed === '' ? text.palette.recent : text.palette.algorithms,
      commands: algorithms,
    },
    { id: 'pages', title: text.palette.pages, commands: usePages().filter(fits) },
    { id: 'actions', title: text.palette.actions, commands: useActions(own).filter(fits) },
  ];
  return { groups: groups.filter(({ commands }) => commands.length > 0), isFetching, error };
}

function useAlgorithms(word: string) {
  const navigate = useNavigate();
  const found = useQuery({ ...algorithmsQuery({ q: word, limit: MOST_FOUND }), enabled: word !== '' });
  const recent = useQueries({
    queries: recentAlgorithms().map((id) => ({ ...algorithmQuery(id), enabled: word === '', retry: false })),
  });
  const algorithms =
    word === '' ? recent.flatMap(({ data }) => (data ? [data] : [])) : (found.data?.algorithms ?? []);
  const commandOf = ({ id, name, type }: Algorithm): Command => ({
    id: `algorithm-${id}`,
    icon: 'box',
    label: name,
    hint: showType(type),
    run: () => void navigate({ to: '/algorithms/$algorithmId', params: { algorithmId: id } }),
  });
  return { algorithms: algorithms.map(commandOf), isFetching: found.isFetching, error: found.error };
}

function usePages(): readonly Command[] {
  const navigate = useNavigate();
  const words = useWords();
  const added = (usePageList()?.pages ?? []).map(({ plugin, id, title, icon = 'box' }): Command => ({
    id: `page-${plugin}-${id}`,
    icon,
    label: words(title),
    run: () => void navigate({ to: '/pages/$plugin/$page', params: { plugin, page: id } }),
  }));
  const { data: me } = useQuery(meQuery);
  const page = (
    to:
      | '/'
      | '/history'
      | '/statistics'
      | '/dashboard'
      | '/keys'
      | '/account'
      | (typeof SECTIONS)[number]['to'],
    icon: IconName,
    label: string,
    hint?: string,
  ): Command => ({ id: `page-${to}`, icon, label, hint, run: () => void navigate({ to }) });
  const isOn = useIsOn();
  const docs: Command = {
    id: 'page-docs',
    icon: 'code',
    label: text.nav.api,
    run: () => location.assign(docsUrl),
  };
  const forAdministrators = [
    ...(isOn('monitoring') ? [page('/dashboard', 'chart', text.nav.dashboard)] : []),
    ...SECTIONS.filter(({ plugin }) => isOn(plugin)).map(({ name, to, icon }) =>
      page(to, icon, text.sections[name], text.nav.administration),
    ),
  ];
  return [
    page('/', 'box', text.nav.catalogue),
    ...(isOn('history')
      ? [page('/history', 'clock', text.nav.history), page('/statistics', 'chart', text.figures.title)]
      : []),
    ...(isOn('api-keys') ? [page('/keys', 'key', text.nav.keys)] : []),
    page('/account', 'user', text.nav.account),
    ...(me?.role === 'admin' ? forAdministrators : []),
    ...(isOn('reference') ? [docs] : []),
    ...added,
  ];
}

function useActions({ showShortcuts, signOut }: OwnActions): readonly Command[] {
  const navigate = useNavigate();
  const { data: me } = useQuery(meQuery);
  const theme = useTheme();
  const language = useLanguage();
  const here = useRouterState({ select: ({ location }) => location.href });
  const other = theme === 'dark' ? 'light' : 'dark';
  const languages = (Object.keys(LANGUAGES) as Language[]).filter((each) => each !== language);
  const newKey: Command = {
    id: 'new-key',
    icon: 'key',
    label: text.palette.newKey,
    run: () => void navigate({ to: '/keys', hash: 'new' }),
  };
  const signedIn: readonly Command[] = [
    ...(useIsOn()('api-keys') ? [newKey] : []),
    {
      id: 'sign-out',
      icon: 'user',
      label: text.nav.signOut,
      run: signOut,
    },
  ];
  const visitor: readonly Command[] = [
    {
      id: 'sign-in',
      icon: 'user',
      label: text.nav.signIn,
      run: () => void navigate({ to: '/sign-in', search: { next: here } }),
    },
    { id: 'register', icon: 'user', label: text.nav.register, run: () => void navigate({ to: '/register' }) },
  ];
  return [
    {
      id: 'theme',
      icon: other === 'dark' ? 'moon' : 'sun',
      label: other === 'dark' ? text.nav.toDark : text.nav.toLight,
      run: () => chooseTheme(other),
    },
    ...languages.map((each): Command => ({
      id: `language-${each}`,
      icon: 'language',
      label: LANGUAGES[each],
      hint: text.nav.language,
      run: () => void chooseLanguage(each),
    })),
    { id: 'shortcuts', icon: 'keyboard', label: text.palette.shortcuts, hint: '?', run: showShortcuts },
    ...(me ? signedIn : visitor),
  ];
}

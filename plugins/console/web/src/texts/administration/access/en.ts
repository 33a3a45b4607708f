import { showNumber } from '../../format.ts';

export const access = {
  visibility: 'Visibility',
  withoutGrant: 'Without a grant',
  accesses: { open: 'Open', restricted: 'Restricted', private: 'Private' },
  meanings: {
    open: 'Everyone sees it, every account may call it.',
    restricted: 'Everyone sees it, nobody may call it.',
    private: 'Nobody sees it.',
  },
  grants: 'Who was granted what',
  none: 'No grants yet.',
  count: (total: number) => `${showNumber(total)} ${total === 1 ? 'grant' : 'grants'}`,
  toWhom: 'To whom',
  kinds: { user: 'Account', group: 'Group', everyone: 'Everyone' },
  ids: { user: 'Id of the account', group: 'Id of the group' },
  idHint: 'Ask an administrator.',
  findUser: 'Find an account by name',
  findGroup: 'Find a group by name',
  until: 'Until',
  untilHint: 'Last day it is valid; empty: no end.',
  noEnd: 'no end',
  untilDay: (day: string) => `until ${day}`,
  grant: 'Grant',
  granted: 'Granted.',
  holder: 'Who',
  changeOf: (name: string) => `Edit the right of ${name}`,
  takeBackTitle: (name: string) => `Revoke the right of ${name}?`,
  takeBackText: 'From the next request on. Calls under way are not interrupted.',
  why: 'What may one account do, and why?',
  may: {
    nothing: 'It cannot see this algorithm.',
    read: 'It may see this algorithm, but not call it.',
    execute: 'It may call this algorithm.',
    manage: 'It may manage this algorithm.',
  },
  disabled: 'The account is disabled or deleted, and may do nothing.',
  reasons: {
    admin: 'as an administrator',
    open: 'as every account, because the algorithm is open',
    restricted: 'as everyone, because the algorithm is not private',
    direct: 'granted to the account itself',
    group: 'granted to its group',
    everyone: 'granted to everyone',
  },
};

/** Every text about who may do what with an algorithm; each other language is a dictionary of this type. */
export type AccessTexts = typeof access;

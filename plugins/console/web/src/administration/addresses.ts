import { STATUSES, type Status } from '../catalogue/catalogue-search.ts';
import { textIn } from '../calls/call-search.ts';
import { readPeriod, type Period } from '../periods/period.ts';

/** What the addresses of the screens for administrators may say. What makes no sense is left out. */

export type Search = Readonly<Record<string, unknown>>;

export interface Paged {
  /** The first one where it is absent. */
  readonly page?: number | undefined;
}

export const ROLES = ['user', 'admin'] as const;
export const ACCOUNT_STATUSES = ['active', 'disabled', 'deleted'] as const;
export const KEY_STATUSES = ['active', 'expired', 'revoked', 'all'] as const;
/** Days within which keys expire. */
export const SOON = [7, 30, 90] as const;
export const OUTCOMES = ['success', 'failure'] as const;

/** In the order in which they are shown. */
export const ALGORITHM_TABS = ['general', 'versions', 'access', 'rollout', 'payloads'] as const;
export type AlgorithmTab = (typeof ALGORITHM_TABS)[number];

export interface AlgorithmsSearch extends Paged {
  readonly q?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: Status | undefined;
  readonly tag?: string | undefined;
}

export function readAlgorithmsSearch(search: Search): AlgorithmsSearch {
  return {
    q: wordsIn(search),
    type: wordsIn(search, 'type'),
    status: STATUSES.find((status) => status === search['status']),
    tag: wordsIn(search, 'tag'),
    page: pageIn(search),
  };
}

/** The first tab where it is absent. */
export function readAlgorithmTab(search: Search): { readonly tab?: AlgorithmTab | undefined } {
  return { tab: ALGORITHM_TABS.slice(1).find((tab) => tab === search['tab']) };
}

/** The version that a new one begins as. */
export function readVersionSearch(search: Search): { readonly from?: string | undefined } {
  return { from: textIn(search, 'from') };
}

export interface UsersSearch extends Paged {
  readonly q?: string | undefined;
  readonly role?: (typeof ROLES)[number] | undefined;
  readonly status?: (typeof ACCOUNT_STATUSES)[number] | undefined;
}

export function readUsersSearch(search: Search): UsersSearch {
  return {
    q: wordsIn(search),
    role: ROLES.find((role) => role === search['role']),
    status: ACCOUNT_STATUSES.find((status) => status === search['status']),
    page: pageIn(search),
  };
}

export interface GroupsSearch extends Paged {
  readonly q?: string | undefined;
}

export function readGroupsSearch(search: Search): GroupsSearch {
  return { q: wordsIn(search), page: pageIn(search) };
}

export interface AllKeysSearch extends Paged {
  /** The id of the account whose keys are listed. */
  readonly owner?: string | undefined;
  /** Active ones where it is absent. */
  readonly status?: (typeof KEY_STATUSES)[number] | undefined;
  readonly soon?: (typeof SOON)[number] | undefined;
}

export function readAllKeysSearch(search: Search): AllKeysSearch {
  return {
    owner: textIn(search, 'owner'),
    status: KEY_STATUSES.find((status) => status === search['status']),
    soon: SOON.find((days) => days === search['soon']),
    page: pageIn(search),
  };
}

export interface AuditSearch extends Period {
  /** The id of an account, or a name. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly kind?: string | undefined;
  /** The id of what was changed. */
  readonly target?: string | undefined;
  readonly outcome?: (typeof OUTCOMES)[number] | undefined;
  readonly cursor?: string | undefined;
  /** The entry that is open beside the list. */
  readonly open?: string | undefined;
}

export function readAuditSearch(search: Search): AuditSearch {
  return {
    ...readPeriod(search),
    actor: wordsIn(search, 'actor'),
    action: textIn(search, 'action'),
    kind: textIn(search, 'kind'),
    target: textIn(search, 'target'),
    outcome: OUTCOMES.find((outcome) => outcome === search['outcome']),
    cursor: textIn(search, 'cursor'),
    open: textIn(search, 'open'),
  };
}

export interface SettingsSearch {
  readonly q?: string | undefined;
  /** Whether only what differs from its default is shown. */
  readonly changed?: true | undefined;
}

export function readSettingsSearch(search: Search): SettingsSearch {
  return { q: wordsIn(search), changed: search['changed'] === true ? true : undefined };
}

/** A text that the address gives; the router reads `?q=42` as a number. */
export function wordsIn(search: Search, name = 'q'): string | undefined {
  const value = search[name];
  return textIn({ [name]: typeof value === 'number' ? String(value) : value }, name)?.slice(0, 200);
}

/** The page of a list that the address names. */
export function pageIn({ page }: Search): number | undefined {
  return typeof page === 'number' && Number.isInteger(page) && page > 1 && page < 100_000 ? page : undefined;
}

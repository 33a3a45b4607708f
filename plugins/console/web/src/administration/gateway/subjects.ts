import { useQueries } from '@tanstack/react-query';
import { useAlgorithmNames } from '../../calls/algorithm-names.ts';
import { adminText } from '../../texts/text.ts';
import { keyQuery } from '../queries.ts';
import { useUserNames } from '../user-names.ts';
import type { Block } from './queries.ts';

/** What a rule of the gateway can be about. */
export type Subject = Block['subject'];

/** One user, key, algorithm or network: its id, or the network itself. */
export interface One {
  readonly subject: Subject;
  readonly value: string;
}

const STALE_MS = 60_000;

/** Names what rules are about; what is gone keeps its id. */
export function useSubjectNames(ones: readonly One[]): (one: One) => string {
  const of = (subject: Subject) => ones.filter((one) => one.subject === subject).map(({ value }) => value);
  const names: Readonly<Record<Subject, ReadonlyMap<string, string>>> = {
    user: useUserNames(of('user')),
    api_key: useKeyNames(of('api_key')),
    algorithm: useAlgorithmNames(of('algorithm')),
    network: new Map(),
  };
  return ({ subject, value }) => names[subject].get(value) ?? value;
}

/** What something is, and its name: `User ada`. */
export const showSubject = (subject: Subject, name: string): string =>
  `${adminText.gateway.subjects[subject]} ${name}`;

function useKeyNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const asked = [...new Set(ids)];
  const found = useQueries({
    queries: asked.map((id) => ({ ...keyQuery(id), retry: false, staleTime: STALE_MS })),
  });
  return new Map(found.flatMap(({ data }) => (data ? [[data.id, data.name] as const] : [])));
}

import { createContext } from 'react';
import type { Faults } from './checking.ts';

/** What is wrong with the values, by JSON pointers such as `/body/input_data/text`. */
export const FaultsContext = createContext<Faults>(new Map());

/** Whether the name of a field is told above it already, as that of an item of a list. */
export const BareContext = createContext(false);

/** Runs something that needs an account, once there is one. `undefined` where a form is only looked at. */
export const SignedInContext = createContext<((next: () => void) => void) | undefined>(undefined);

/** The JSON pointer of what a form enters, such as `/body/input_data`. */
export const RootContext = createContext('');

/** The elements that describe a control. */
export const DescriptionContext = createContext<{
  readonly describedBy: string | undefined;
  readonly isWrong: boolean;
}>({ describedBy: undefined, isWrong: false });

/** A JSON pointer to what a path of members leads to. */
export function pointerOf(root: string, path: readonly (string | number)[]): string {
  return [root, ...path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

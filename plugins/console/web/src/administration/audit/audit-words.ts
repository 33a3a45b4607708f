import { adminText } from '../../texts/text.ts';

/** What an action is called; those of plugins of others have the name that they gave it. */
export function showAction(action: string): string {
  return named(adminText.audit.actions, action);
}

/** What a kind of thing is called. */
export function showKind(kind: string): string {
  return named(adminText.audit.kinds, kind);
}

function named(names: Readonly<Record<string, string>>, name: string): string {
  return (Object.hasOwn(names, name) && names[name]) || name;
}

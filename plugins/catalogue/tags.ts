import { folded } from '../../core/index.ts';

/** The key by which tags are equal: without regard to case, width and composition. */
export function keyOfTag(tag: string): string {
  return folded(tag.trim());
}

/** Tags with their keys. */
export function keyed(tags: readonly string[]): { readonly tag: string; readonly tag_key: string }[] {
  return tags.map((tag) => ({ tag, tag_key: keyOfTag(tag) }));
}

/** The tags without those that are equal to one before them. */
export function withoutRepeated(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(keyOfTag(tag))) byKey.set(keyOfTag(tag), tag);
  return [...byKey.values()];
}

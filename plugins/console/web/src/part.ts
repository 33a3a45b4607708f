import { lazy, type ComponentType } from 'react';
import { untilBack } from './api/reachability.ts';

const RELOADED = 'vitrine-reloaded';
const AGAIN_AFTER_MS = 30_000;

const savers = new Set<() => void>();

/** Has something stored before the page is loaded anew. */
export function beforeReload(save: () => void): void {
  savers.add(save);
}

/**
 * Loads a part of the console. It is missing when the service is away, or when it came back with another version, whose
 * files have other names: then the page is loaded anew once the service answers, and goes on at the same address.
 */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    await untilBack();
    if (!mayReload()) throw error;
    for (const save of savers) save();
    location.reload();
    return new Promise<never>(() => {});
  }
}

/** A component of a part that is loaded when the component is first shown. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
) {
  return lazy(async () => ({ default: (await part(load))[name] }));
}

/** Limits reloads, so that a part that stays missing does not reload the page for ever. */
function mayReload(): boolean {
  try {
    const before = Number(sessionStorage.getItem(RELOADED));
    if (Date.now() - before < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(RELOADED, String(Date.now()));
    return true;
  } catch {
    // A browser without storage does not know when the page was last reloaded.
    return false;
  }
}

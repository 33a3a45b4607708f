import type { Json } from './components.ts';
import type { Route } from '../routing/route.ts';

/** How the ids in answers and the parameters of paths belong together, over all routes of the document. */
export class Links {
  readonly #targets = new Map<string, string>();
  readonly #sources = new Map<string, string[]>();

  constructor(routes: readonly Route[]) {
    for (const { path, method, operationId, links = {} } of routes) {
      const [, last] = /\{(\w+)\}$/.exec(path) ?? [];
      // A GET operation is the better target.
      if (last && (method === 'GET' || !this.#targets.has(last))) this.#targets.set(last, operationId);
      for (const name of Object.keys(links)) {
        this.#sources.set(name, [...(this.#sources.get(name) ?? []), operationId]);
      }
    }
  }

  /** The links of an answer: to the operation that takes an id of it. None to plugins that are switched off. */
  of({ links = {} }: Route): Json {
    const found = Object.entries(links).flatMap(([name, pointer]) => {
      const operationId = this.#targets.get(name);
      const link = { operationId, parameters: { [name]: `$response.body#${pointer}` } };
      return operationId ? [[operationId, link] as const] : [];
    });
    return found.length > 0 ? { links: Object.fromEntries(found) } : {};
  }

  /** Which operations answer such an id, as a sentence; undefined where none does. */
  sourcesOf(parameter: string): string | undefined {
    const sources = this.#sources.get(parameter);
    return sources && `From ${sources.map((operationId) => `\`${operationId}\``).join(', ')}.`;
  }
}

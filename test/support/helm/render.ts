import { functions, isTrue } from './functions.ts';
import type { Value } from './go-yaml.ts';
import { parseTemplate, type Expression, type Node } from './syntax.ts';

/**
 * Renders templates of a chart in the small subset of Go's language that they use. Whatever is not known here, be it a
 * function, a form or a value that does not exist, is refused: what comes out is what Helm renders, or an error.
 */
export function renderTemplates(
  files: ReadonlyMap<string, string>,
  root: Readonly<Record<string, Value>>,
): ReadonlyMap<string, string> {
  const parsed = [...files].map(([name, text]) => ({ name, ...locating(name, () => parseTemplate(text)) }));
  const defined = new Map(parsed.flatMap((template) => [...template.defined]));
  const whole = parsed.filter(({ name }) => !name.startsWith('_'));
  const renderer = new Renderer(defined);
  return new Map(
    whole.map(({ name, body }) => [name, locating(name, () => renderer.render(body, { dot: root, root }))]),
  );
}

interface Scope {
  readonly dot: Value;
  /** What `$` is: the dot with which the template began. */
  readonly root: Value;
}

class Renderer {
  readonly #defined: ReadonlyMap<string, readonly Node[]>;

  constructor(defined: ReadonlyMap<string, readonly Node[]>) {
    this.#defined = defined;
  }

  render(nodes: readonly Node[], scope: Scope): string {
    return nodes.map((node) => this.#node(node, scope)).join('');
  }

  #node(node: Node, scope: Scope): string {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'output':
        return printed(this.#value(node.value, scope));
      case 'if': {
        const taken = node.branches.find(
          ({ condition }) => condition === undefined || isTrue(this.#value(condition, scope)),
        );
        return taken ? this.render(taken.body, scope) : '';
      }
      case 'with': {
        const dot = this.#value(node.value, scope);
        return isTrue(dot) ? this.render(node.body, { ...scope, dot }) : '';
      }
      case 'range': {
        const items = this.#value(node.value, scope);
        if (!Array.isArray(items)) throw new Error('range goes over lists alone here.');
        return items.map((dot: Value) => this.render(node.body, { ...scope, dot })).join('');
      }
    }
  }

  #value(expression: Expression, scope: Scope): Value {
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'path':
        return valueAt(expression.from === 'root' ? scope.root : scope.dot, expression.names);
      case 'call': {
        const given = expression.given.map((one) => this.#value(one, scope));
        return expression.name === 'include' ? this.#include(given) : called(expression.name, given);
      }
    }
  }

  #include([name, dot, ...more]: readonly Value[]): string {
    const body = typeof name === 'string' ? this.#defined.get(name) : undefined;
    if (!body || dot === undefined || more.length > 0)
      throw new Error(`include of ${JSON.stringify(name)} is not possible.`);
    return this.render(body, { dot, root: dot });
  }
}

function called(name: string, given: readonly Value[]): Value {
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (!known) throw new Error(`The function "${name}" is not known here.`);
  try {
    return known(given);
  } catch (cause) {
    throw new Error(`${name}: ${(cause as Error).message}`, { cause });
  }
}

/** Helm goes on with nothing where a value does not exist; here that is a mistake. */
function valueAt(from: Value, names: readonly string[]): Value {
  return names.reduce<Value>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`There is no "${name}" in ".${names.join('.')}".`);
    return (value as Readonly<Record<string, Value>>)[name]!;
  }, from);
}

/** Go writes large numbers with an exponent, and lists in brackets: none of that belongs into a manifest. */
function printed(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1_000_000)
    return String(value);
  throw new Error(`${JSON.stringify(value)} cannot be written as it is.`);
}

function locating<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new Error(`${file}: ${(cause as Error).message}`, { cause });
  }
}

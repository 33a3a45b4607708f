type Class = abstract new (...args: never[]) => object;

/**
 * Makes `instanceof` hold for values that another copy of this package made, as a loader that compiles TypeScript may load
 * one beside the first. Classes that extend the branded one are judged as usual.
 */
export function brand(of: Class, name: string): void {
  const mark = Symbol.for(`vitrine:class:${name}`);
  Object.defineProperty(of.prototype, mark, { value: true });
  Object.defineProperty(of, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== of) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}

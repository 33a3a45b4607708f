type Class = abstract new (...args: never[]) => object;

/**
 * Makes `instanceof` work for values of another copy of this package, which a loader that compiles TypeScript may create.
 * For subclasses of the branded class, `instanceof` works as usual.
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

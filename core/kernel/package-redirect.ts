/** A module-loading hook (node:module `register`) that resolves the package name `vitrine` to the running installation. */
interface Options {
  readonly root: string;
  readonly extension: string;
}

type Resolution = { url: string };
type NextResolve = (specifier: string, context: unknown) => Promise<Resolution>;

let options: Options = { root: '', extension: '.js' };

export function initialize(data: Options): void {
  options = data;
}

export async function resolve(specifier: string, context: unknown, next: NextResolve): Promise<Resolution> {
  const path = pathOf(specifier);
  if (path === undefined) return next(specifier, context);
  return next(new URL(path + options.extension, options.root).href, context);
}

function pathOf(specifier: string): string | undefined {
  if (specifier === 'vitrine') return 'core/index';
  if (specifier === 'vitrine/testing') return 'core/testing';
  const contract = /^vitrine\/contracts\/([a-z][a-z0-9-]*)$/.exec(specifier);
  return contract ? `plugins/${contract[1]}/contract` : undefined;
}

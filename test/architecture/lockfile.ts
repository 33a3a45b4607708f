/** What `package-lock.json` says of one package. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

export interface Lockfile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

/** `allowScripts` of package.json: whether the install script of a package may run. */
export type AllowedScripts = Readonly<Record<string, boolean>>;

const REGISTRY = 'https://registry.npmjs.org/';

/** Sentences on packages that come unchecked or from elsewhere, or run a script that nobody decided on. */
export function lockfileFaults({ packages }: Lockfile, allowed: AllowedScripts): string[] {
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .flatMap(([path, locked]) => packageFaults(path, locked, allowed));
}

/** The packages whose install script runs where the service is installed. */
export function runtimeScripts({ packages }: Lockfile, allowed: AllowedScripts): string[] {
  return Object.entries(packages)
    .filter(([path, { dev, hasInstallScript }]) => hasInstallScript && !dev && allowed[nameOf(path)])
    .map(([path]) => nameOf(path));
}

function packageFaults(path: string, locked: LockedPackage, allowed: AllowedScripts): string[] {
  const { integrity, resolved, hasInstallScript } = locked;
  const faults: string[] = [];
  if (!integrity?.startsWith('sha512-')) faults.push(`${path} has no integrity of sha512.`);
  if (resolved !== undefined && !resolved.startsWith(REGISTRY))
    faults.push(`${path} comes from ${resolved}.`);
  if (hasInstallScript && allowed[nameOf(path)] === undefined) {
    faults.push(`${path} has an install script; decide on it in allowScripts of package.json.`);
  }
  return faults;
}

function nameOf(path: string): string {
  return path.split('node_modules/').at(-1)!;
}

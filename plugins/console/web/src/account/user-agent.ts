/** Browsers name those whose pages they want to be shown, too, so the more particular name comes first. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['CriOS', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const SYSTEMS = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/** What a program calls itself in `User-Agent`, in a few words: a guess, and whatever the program wants to be. */
export function clientIn(userAgent: string): {
  readonly program?: string | undefined;
  readonly system?: string | undefined;
} {
  const browser = BROWSERS.find(([name]) => userAgent.includes(`${name}/`))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return { program: (browser ?? userAgent.split(/[\s(/]/)[0]?.slice(0, 40)) || undefined, system };
}

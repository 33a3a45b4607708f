/** What Node or the kernel loads by its path: commands, what the package exports, plugins, and what runs in threads or processes. */
const ENTRY =
  /^(cli\/main|core\/(index|testing|kernel\/package-redirect|.*-worker)|plugins\/([^/]+\/(plugin|contract)|.*-worker|samples\/running\/entry|samples\/algorithms\/[^/]+\/run))\.ts$/;

/** The paths, of those given, that must stay where they are; relative to the root. */
export function entries(paths) {
  return paths.filter((path) => ENTRY.test(path));
}

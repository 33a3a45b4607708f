/** What is loaded by its place, by Node or by the kernel: commands, doors, plugins, contracts, and what runs in threads or processes. */
const ENTRY =
  /^(core\/(index|testing|cli\/main|kernel\/package-redirect|.*-worker)|plugins\/([^/]+\/(plugin|contract)|.*-worker|samples\/running\/entry|samples\/algorithms\/[^/]+\/run))\.ts$/;

/** Those of some paths, relative to the root, that have to stay where they are. */
export function entries(paths) {
  return paths.filter((path) => ENTRY.test(path));
}

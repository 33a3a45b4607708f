import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sentences on what is not committed, and on places that disagree about the version. */
export function versionFaults(root, { version }, lock) {
  const faults = [];
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).trimEnd();
  if (changes !== '') faults.push(`Not everything is committed:\n${changes}`);
  if (lock.version !== version || lock.packages[''].version !== version) {
    faults.push(
      `package-lock.json is of version ${lock.version}, package.json of ${version}. Run npm install.`,
    );
  }
  const heading = /^## .*$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[0] ?? '';
  const [, told, date] = /^## (\S+) \((.*)\)$/.exec(heading) ?? [];
  if (told !== version || !/^\d{4}-\d{2}-\d{2}$/.test(date)) {
    faults.push(
      `CHANGELOG.md begins with "${heading}"; it must begin with "## ${version} (YYYY-MM-DD)", the day of the release.`,
    );
  }
  return faults;
}

const DAY_MS = 86_400_000;
/** Releases that are found to be malicious are mostly taken back within this time. */
const DAYS = 7;
/** Questions on their way at once. */
const AT_ONCE = 8;
const ANSWER_WITHIN_MS = 30_000;
/** A short document; the long one, which has the time of each version, can be a hundred times as large. */
const SHORT = { accept: 'application/vnd.npm.install-v1+json' };

/** The packages of a lockfile, each once: `{ name, version }`. */
export function lockedPackages({ packages }) {
  const found = new Map();
  for (const [path, { name = path.split('node_modules/').at(-1), version, link }] of Object.entries(
    packages,
  )) {
    if (path !== '' && !link) found.set(`${name}@${version}`, { name, version });
  }
  return [...found.values()];
}

/**
 * Sentences on the packages that the registry published less than seven days before `now`, or of which it does not tell
 * when. `exceptions` gives reasons to take one all the same, by `name@version`.
 */
export async function tooYoung(packages, { registry, exceptions, now }) {
  const locked = new Set(packages.map(idOf));
  const faults = Object.keys(exceptions)
    .filter((id) => !locked.has(id))
    .map((id) => `scripts/release/exceptions.json names ${id}, which is not locked. Take it out.`);
  const queue = packages.filter((one) => !exceptions[idOf(one)]);
  const work = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) {
      const fault = await faultOf(one, { registry, now });
      if (fault) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return faults.sort();
}

async function faultOf({ name, version }, { registry, now }) {
  const id = idOf({ name, version });
  const limit = now - DAYS * DAY_MS;
  try {
    const published = await publishedBy(registry, name, version, limit);
    if (!Number.isFinite(published)) return `${id}: the registry does not say when it was published.`;
    if (published <= limit) return undefined;
    return (
      `${id} was published at ${new Date(published).toISOString()}, less than ${DAYS} days ago. ` +
      'Wait, lock the release before, or name it with a reason in scripts/release/exceptions.json.'
    );
  } catch (error) {
    return `${id}: the registry ${registry} does not tell when it was published: ${error.message}`;
  }
}

/** When the version was published, or a later time before the limit: nothing of a package is younger than its last change. */
async function publishedBy(registry, name, version, limit) {
  const { modified } = await ask(registry, name, SHORT);
  const changed = Date.parse(modified);
  if (changed <= limit) return changed;
  const { time } = await ask(registry, name, {});
  return Date.parse(time?.[version]);
}

async function ask(registry, name, headers) {
  const url = new URL(name.replace('/', '%2F'), registry.endsWith('/') ? registry : `${registry}/`);
  const answer = await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  return answer.json();
}

function idOf({ name, version }) {
  return `${name}@${version}`;
}

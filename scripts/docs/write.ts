/** `npm run docs`: writes the pages that are made from the code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isStale, placeOf, references } from './references.ts';

for (const reference of await references()) {
  const stale = isStale(reference);
  if (stale) {
    mkdirSync(dirname(placeOf(reference)), { recursive: true });
    writeFileSync(placeOf(reference), reference.text);
  }
  console.log(`${reference.path} ${stale ? 'written' : 'is up to date'}`);
}

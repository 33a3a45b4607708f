/** Part of `npm test`: fails when a page that is made from the code does not say what the code says. */
import { isStale, references } from './references.ts';

const pages = await references();
const stale = pages.filter(isStale);
for (const { path } of stale)
  console.error(`${path} is not what the code says. Run "npm run docs" and commit it.`);
console.log(`${pages.length} pages compared`);
if (stale.length > 0 || pages.length === 0) process.exitCode = 1;

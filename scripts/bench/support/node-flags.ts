import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../core/support/package-root.ts';

const { scripts } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  readonly scripts: { readonly start: string };
};

/**
 * The flags of Node that `npm start` gives the service; what it is compared with gets them too, unless it
 * says otherwise.
 */
export const nodeFlags: readonly string[] = scripts.start.split(' ').filter((word) => word.startsWith('--'));

import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { ambientUses, type Ambient } from './ambient-use.ts';
import { modulesOf, parse } from './source-scan.ts';

/** One line for each way in which a module might help itself. */
const plants: readonly [Ambient, string][] = [
  ['environment', "const home = process.env['HOME'];"],
  ['environment', 'const { HOME } = process.env;'],
  ['console', "console.log('here');"],
  ['clock', 'const now = Date.now();'],
  ['clock', 'const now = new Date();'],
  ['clock', 'const began = performance.now();'],
  ['randomness', 'const chance = Math.random();'],
  ['randomness', "import { randomBytes } from 'node:crypto';"],
  ['randomness', "import { randomUUID as id } from 'node:crypto';"],
  ['randomness', "import crypto from 'node:crypto'; const id = crypto.randomUUID();"],
];

describe('environment, console, clock and randomness', () => {
  it('are touched in their homes only', () => {
    const modules = modulesOf(packageRoot, ['core', 'cli', 'plugins']);
    expect(modules.length).to.be.greaterThan(150);
    expect(modules.flatMap(ambientUses)).to.deep.equal([]);
  });

  for (const [ambient, text] of plants) {
    it(`are found elsewhere: ${text}`, () => {
      const uses = ambientUses(parse('plugins/alpha/planted.ts', text));
      expect(uses).to.deep.equal([{ ambient, place: 'plugins/alpha/planted.ts:1' }]);
    });
  }

  it('are left alone in comments, in texts and in dates made from a value', () => {
    const text = "// Date.now()\nconst says = 'process.env and console.log()';\nconst day = new Date(0);";
    expect(ambientUses(parse('plugins/alpha/innocent.ts', text))).to.deep.equal([]);
  });
});

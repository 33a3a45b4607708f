import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { cruise, cruiserConfig, type Cruise } from './cruise.ts';
import { plants, plantTree, type PlantedTree } from './planted-tree.ts';

const { forbidden, required } = createRequire(import.meta.url)(cruiserConfig) as Record<
  'forbidden' | 'required',
  { name: string }[]
>;
const isFile = (path: string): boolean => existsSync(join(packageRoot, path));

describe('import rules', () => {
  describe('of this repository', () => {
    let found: Cruise;
    before(() => {
      found = cruise(packageRoot, ['core', 'cli', 'plugins', 'scripts', 'test']);
    });

    it('are not broken', () => {
      expect(found.violations).to.deep.equal([]);
    });

    it('name files that exist where they demand an import', () => {
      const demanding = required.map(({ name }) => plants[name]?.[0] ?? name);
      expect(demanding.filter((path) => !isFile(path))).to.deep.equal([]);
    });

    it('were checked on the whole source', () => {
      expect(found.modules).to.be.greaterThan(200);
      expect(found.dependencies).to.be.greaterThan(found.modules);
    });
  });

  describe('each find their violation', () => {
    let tree: PlantedTree;
    let found: Cruise;
    before(() => {
      tree = plantTree();
      found = cruise(tree.root, ['core', 'cli', 'plugins', 'test']);
    });
    after(() => tree.remove());

    for (const { name } of [...forbidden, ...required]) {
      it(name, () => {
        const [file] = plants[name] ?? ['no violation of this rule is planted'];
        expect(found.violations.filter(({ rule }) => rule === name).map(({ from }) => from)).to.include(file);
      });
    }

    it('and accuse nobody who is innocent', () => {
      const planted = Object.values(plants).map(([file]) => file);
      const accused = found.violations.filter(({ rule }) => rule !== 'no-cycles').map(({ from }) => from);
      expect(accused.filter((file) => !planted.includes(file))).to.deep.equal([]);
    });
  });
});

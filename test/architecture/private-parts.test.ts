import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { privateParts } from './private-parts.ts';
import { modulesOf, parse } from './source-scan.ts';

const plants: readonly [found: string, text: string][] = [
  ['knex/lib/dialects/postgres/index.js', "import Client from 'knex/lib/dialects/postgres/index.js';"],
  ['@koa/router/dist/layer.js', "export { Layer } from '@koa/router/dist/layer.js';"],
  ['_handle', 'const handle = socket._handle;'],
];

describe('private parts of packages', () => {
  it('are used nowhere', () => {
    const modules = modulesOf(packageRoot, ['core', 'cli', 'plugins']);
    expect(modules.length).to.be.greaterThan(150);
    expect(modules.flatMap(privateParts)).to.deep.equal([]);
  });

  for (const [found, text] of plants) {
    it(`are found: ${text}`, () => {
      expect(privateParts(parse('core/planted.ts', text))).to.deep.equal([`core/planted.ts: ${found}`]);
    });
  }

  it('are not what a package offers under a path, nor modules of Node and of this project', () => {
    const text =
      "import { Compile } from 'typebox/compile';\nimport { Ajv2020 } from 'ajv/dist/2020.js';\n" +
      "import fs from 'node:fs/promises';\nimport { a } from './lib/a.ts';\nimport { b } from '../build/b.ts';";
    expect(privateParts(parse('core/innocent.ts', text))).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { packageRoot } from '../../core/support/package-root.ts';
import { undocumented } from './documented.ts';
import { modulesOf, parse } from './source-scan.ts';

const DOORS = /^core\/(?:index|testing)[.]ts$|^plugins\/[^/]+\/contract[.]ts$/;

describe('what plugins may import', () => {
  it('has a doc comment', () => {
    const modules = modulesOf(packageRoot, ['core', 'cli', 'plugins']);
    const doors = modules.filter(({ path }) => DOORS.test(path));
    expect(doors.length).to.be.greaterThan(8);
    expect(doors.flatMap((door) => undocumented(door, modules))).to.deep.equal([]);
  });

  it('is found without one, whether the door declares it or passes it on', () => {
    const inner = parse(
      'core/a/b.ts',
      '/** Said. */ export class A {} export type B = 1; export const C = 2;',
    );
    const door = parse(
      'core/index.ts',
      "export { A, type B as Bee } from './a/b.ts'; export interface D {} export const E = token<A>('e');",
    );
    expect(undocumented(door, [inner])).to.deep.equal(['core/a/b.ts B', 'core/index.ts D']);
  });
});

import { expect } from 'chai';
import ts from 'typescript';
import { packageRoot } from '../../core/support/package-root.ts';
import { modulesOf, parse, type SourceModule } from './source-scan.ts';

/** What a plugin author must be able to survey. */
const MAX_NAMES = 120;

/** The names that a module exports, and `*` for what it passes on without naming it. */
function exportedNames({ ast }: SourceModule): readonly string[] {
  return ast.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return ['a declaration of its own'];
    const { exportClause } = statement;
    return exportClause && ts.isNamedExports(exportClause)
      ? exportClause.elements.map(({ name }) => name.text)
      : ['*'];
  });
}

describe('the exports of the kernel', () => {
  const [kernel] = modulesOf(packageRoot, ['core']).filter(({ path }) => path === 'core/index.ts');
  const names = exportedNames(kernel!);

  it(`are named one by one, and at most ${MAX_NAMES}`, () => {
    expect(names).not.to.include.members(['*']).and.not.to.include.members(['a declaration of its own']);
    expect(new Set(names).size).to.equal(names.length);
    expect(names.length).to.be.at.least(60).and.at.most(MAX_NAMES);
  });

  it('are counted, so that one too many is found', () => {
    const planted = [...Array(MAX_NAMES + 1).keys()].map((number) => `type T${number} as U${number}`);
    const text = `export { ${planted.join(', ')} } from './a.ts';\nexport * from './b.ts';`;
    const found = exportedNames(parse('core/index.ts', text));
    expect(found.length).to.be.greaterThan(MAX_NAMES);
    expect(found).to.include(`U${MAX_NAMES}`).and.to.include('*');
  });
});

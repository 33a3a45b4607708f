import { expect } from 'chai';
import ts from 'typescript';
import { packageRoot } from '../../core/support/package-root.ts';
import { modulesOf, parse, visit, type SourceModule } from './source-scan.ts';

/** The modules that threads begin with: `workerEntry('./x', …)` and `new WorkerCalls({ module: './x', … })`. */
function threadModules(module: SourceModule): string[] {
  const found: string[] = [];
  const add = (node: ts.Node | undefined): void => {
    if (node && ts.isStringLiteral(node) && node.text.startsWith('./')) found.push(node.text);
  };
  visit(module, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'workerEntry') add(node.arguments[0]);
    if (ts.isPropertyAssignment(node) && node.name.getText() === 'module') add(node.initializer);
  });
  return found;
}

const misnamed = (module: SourceModule): string[] =>
  threadModules(module).filter((name) => !name.endsWith('-worker'));

describe('modules of threads', () => {
  it('are named so that the build finds them', () => {
    const modules = modulesOf(packageRoot, ['core', 'cli', 'plugins']);
    const found = ['./schema-worker', './write-worker'];
    expect(modules.flatMap(threadModules)).to.include.members(found);
    expect(
      modules.flatMap((module) => misnamed(module).map((name) => `${module.path}: ${name}`)),
    ).to.deep.equal([]);
  });

  it('are found when they are named otherwise', () => {
    const pool = parse('core/a.ts', "new Piscina({ ...workerEntry('./thread', import.meta.url) });");
    const calls = parse('core/b.ts', "new WorkerCalls({ module: './calls', callerUrl: import.meta.url });");
    expect([pool, calls].flatMap(misnamed)).to.deep.equal(['./thread', './calls']);
  });
});

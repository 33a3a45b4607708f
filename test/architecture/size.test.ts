import { expect } from 'chai';
import ts from 'typescript';
import { packageRoot } from '../../core/support/package-root.ts';
import { modulesOf, visit } from './source-scan.ts';

const modules = modulesOf(packageRoot, ['core', 'cli', 'plugins']);

/** The value below which a share of all values lies. */
function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(share * (values.length - 1))] ?? 0;
}

function lines(node: ts.Node): number {
  const file = node.getSourceFile();
  const lineAt = (position: number): number => file.getLineAndCharacterOfPosition(position).line;
  return lineAt(node.getEnd()) - lineAt(node.getStart()) + 1;
}

function isFunctionWithBlock(node: ts.Node): boolean {
  return (
    ts.isFunctionLike(node) && 'body' in node && node.body !== undefined && ts.isBlock(node.body as ts.Node)
  );
}

describe('sizes', () => {
  const ofFiles = modules.map(({ ast }) => lines(ast));
  const ofFunctions: number[] = [];
  for (const module of modules) {
    visit(module, (node) => {
      if (isFunctionWithBlock(node)) ofFunctions.push(lines(node));
    });
  }

  it('are of many files and functions', () => {
    expect(ofFiles.length).to.be.greaterThan(150);
    expect(ofFunctions.length).to.be.greaterThan(500);
  });

  it('of files: half under 100 lines, nine of ten under 300', () => {
    expect(quantile(ofFiles, 0.5)).to.be.lessThan(100);
    expect(quantile(ofFiles, 0.9)).to.be.lessThan(300);
  });

  it('of functions: half up to about 10 lines, nine of ten under 45', () => {
    expect(quantile(ofFunctions, 0.5)).to.be.at.most(12);
    expect(quantile(ofFunctions, 0.9)).to.be.lessThan(45);
  });
});

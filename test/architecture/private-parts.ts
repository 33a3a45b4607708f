import ts from 'typescript';
import { importsOf, visit, type SourceModule } from './source-scan.ts';

/** The one path with such a folder that its package documents. */
const DOCUMENTED = ['ajv/dist/2020.js'];

const INNER_FOLDER = /^(?:@[^/]+\/)?[^./@][^/:]*\/(?:lib|dist|src|build|internal)\//;

/** Where a module reaches into a package: by a path into its folders, or by a member whose name begins with `_`. */
export function privateParts(module: SourceModule): readonly string[] {
  const paths = importsOf(module).filter((path) => INNER_FOLDER.test(path) && !DOCUMENTED.includes(path));
  const members: string[] = [];
  visit(module, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.name.text.startsWith('_')) members.push(node.name.text);
  });
  return [...paths, ...members].map((part) => `${module.path}: ${part}`);
}

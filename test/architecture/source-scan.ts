import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A parsed module of the source. */
export interface SourceModule {
  /** Relative to the root, with slashes. */
  readonly path: string;
  readonly ast: ts.SourceFile;
}

/** Every module below some folders of a source tree, but those of web pages, which run in a browser. */
export function modulesOf(root: string, folders: readonly string[]): readonly SourceModule[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .filter((path) => !/^plugins\/[^/]+\/web\//.test(path))
      .toSorted()
      .map((path) => parse(path, readFileSync(join(root, path), 'utf8'))),
  );
}

/** Parses one module. */
export function parse(path: string, text: string): SourceModule {
  return { path, ast: ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true) };
}

/** Calls back for every node of a module. */
export function visit(module: SourceModule, callback: (node: ts.Node) => void): void {
  const descend = (node: ts.Node): void => {
    callback(node);
    ts.forEachChild(node, descend);
  };
  descend(module.ast);
}

/** The specifiers that a module imports or exports from. */
export function importsOf({ ast }: SourceModule): readonly string[] {
  return ast.statements.flatMap((statement) => {
    const from =
      ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
        ? statement.moduleSpecifier
        : undefined;
    return from && ts.isStringLiteral(from) ? [from.text] : [];
  });
}

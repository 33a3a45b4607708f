import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceModule } from './source-scan.ts';

/** What these make says itself what it is, or is known by a type that does. */
const SPEAKING = new Set(['problem', 'token', 'extensionPoint', 'defineEvent']);

/** `path name` of what a module exports, of its own or from others, without a doc comment. */
export function undocumented(door: SourceModule, modules: readonly SourceModule[]): string[] {
  return door.ast.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return silentNames(door, statement);
    const { moduleSpecifier, exportClause } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    const path = posix.join(posix.dirname(door.path), moduleSpecifier.text);
    const from = modules.find((module) => module.path === path);
    if (!from) return [];
    const names =
      exportClause && ts.isNamedExports(exportClause)
        ? new Set(exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text))
        : undefined;
    return from.ast.statements
      .flatMap((declared) => silentNames(from, declared))
      .filter((found) => names?.has(found.split(' ')[1]!) ?? true);
  });
}

function silentNames(module: SourceModule, statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
  if (!isExported || ts.getJSDocCommentsAndTags(statement).length > 0) return [];
  return namesOf(statement).map((name) => `${module.path} ${name}`);
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations
      .filter(({ initializer }) => !speaks(initializer))
      .map(({ name }) => name.getText());
  }
  const { name } = statement as ts.Statement & { readonly name?: ts.Identifier };
  return name ? [name.text] : [];
}

function speaks(initializer: ts.Expression | undefined): boolean {
  return (
    initializer !== undefined &&
    ts.isCallExpression(initializer) &&
    SPEAKING.has(initializer.expression.getText())
  );
}

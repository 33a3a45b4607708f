import ts from 'typescript';
import { visit, type SourceModule } from './source-scan.ts';

/** What is around every program and makes it depend on when and where it runs. */
export type Ambient = 'environment' | 'console' | 'clock' | 'randomness';

/** The only rooms that may touch each; everybody else is handed what they need. */
export const homes: Readonly<Record<Ambient, readonly string[]>> = {
  environment: ['core/config/', 'cli/'],
  console: ['cli/'],
  clock: ['core/support/'],
  randomness: ['core/support/'],
};

const RANDOM_OF_CRYPTO = [
  'randomBytes',
  'randomFillSync',
  'randomFill',
  'randomInt',
  'randomUUID',
  'getRandomValues',
];

export interface AmbientUse {
  readonly ambient: Ambient;
  /** `core/http/x.ts:12`. */
  readonly place: string;
}

/** Where a module uses what it should be handed. */
export function ambientUses(module: SourceModule): readonly AmbientUse[] {
  const uses: AmbientUse[] = [];
  visit(module, (node) => {
    const ambient = ambientOf(node);
    if (!ambient || homes[ambient].some((home) => module.path.startsWith(home))) return;
    const { line } = module.ast.getLineAndCharacterOfPosition(node.getStart());
    uses.push({ ambient, place: `${module.path}:${line + 1}` });
  });
  return uses;
}

function ambientOf(node: ts.Node): Ambient | undefined {
  if (ts.isPropertyAccessExpression(node)) return ofProperty(node);
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length)
    return 'clock';
  if (ts.isImportSpecifier(node) && RANDOM_OF_CRYPTO.includes((node.propertyName ?? node.name).text)) {
    return 'randomness';
  }
  return undefined;
}

function ofProperty({ expression, name }: ts.PropertyAccessExpression): Ambient | undefined {
  const access = `${expression.getText()}.${name.text}`;
  if (access === 'process.env') return 'environment';
  if (expression.getText() === 'console') return 'console';
  if (['Date.now', 'performance.now', 'process.hrtime'].includes(access)) return 'clock';
  if (
    access === 'Math.random' ||
    (/crypto$/i.test(expression.getText()) && RANDOM_OF_CRYPTO.includes(name.text))
  ) {
    return 'randomness';
  }
  return undefined;
}

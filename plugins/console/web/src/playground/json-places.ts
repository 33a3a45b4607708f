import { jsonLanguage } from '@codemirror/lang-json';

type SyntaxNode = ReturnType<typeof jsonLanguage.parser.parse>['topNode'];

/** Something that is wrong with a part of a JSON document. */
export interface Finding {
  readonly pointer: string;
  readonly message: string;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the value stands that a JSON pointer names, or else the last part on the way to it that is there. */
export function rangeOf(json: string, pointer: string): Range {
  let node: SyntaxNode | null = jsonLanguage.parser.parse(json).topNode.firstChild;
  let range: Range = node ? shown(node) : { from: 0, to: 0 };
  for (const name of namesIn(pointer)) {
    node = node && memberOf(node, name, json);
    if (!node) break;
    range = shown(node);
  }
  return range;
}

/** A value of several lines is underlined at its name, or else at its bracket. */
function shown(node: SyntaxNode): Range {
  const isLarge = node.name === 'Object' || node.name === 'Array';
  const name = node.parent?.name === 'Property' ? node.parent.firstChild : null;
  if (!isLarge) return { from: node.from, to: node.to };
  return name ?? { from: node.from, to: node.from + 1 };
}

function namesIn(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function memberOf(node: SyntaxNode, name: string, json: string): SyntaxNode | null {
  if (node.name === 'Array') return valuesIn(node)[Number(name)] ?? null;
  const properties = node.getChildren('Property');
  const found = properties.find(({ firstChild }) => firstChild && nameOf(firstChild, json) === name);
  return found?.lastChild ?? null;
}

function valuesIn(array: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling) {
    if (!['[', ']', ','].includes(child.name)) values.push(child);
  }
  return values;
}

function nameOf({ from, to }: SyntaxNode, json: string): string | undefined {
  try {
    return JSON.parse(json.slice(from, to)) as string;
  } catch {
    return undefined;
  }
}

/** The number of the line on which that is; the first one is 1. */
export function lineOf(json: string, pointer: string): number {
  return json.slice(0, rangeOf(json, pointer).from).split('\n').length;
}

import { isCollection, isNode, LineCounter, parseDocument } from 'yaml';

/** A fault of a file, and the line where it is. */
export interface FileFault {
  readonly line: number | undefined;
  readonly message: string;
}

/** The content of a file, or why it cannot be read. */
export interface ReadFile {
  readonly value: Readonly<Record<string, unknown>>;
  readonly faults: readonly FileFault[];
  /** The line of a place, by a JSON Pointer; of what is around it where there is no such place. */
  readonly lineOf: (pointer: string) => number | undefined;
}

const MOST_FAULTS = 10;

/** Reads YAML or JSON. */
export function readDocument(text: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults: FileFault[] = document.errors.slice(0, MOST_FAULTS).map(({ message, linePos }) => ({
    line: linePos?.[0].line,
    message: message.split('\n')[0]!.replace(/ at line \d+, column \d+:$/, ''),
  }));
  const lineOf = (pointer: string): number | undefined => {
    let node: unknown = document.contents;
    for (const key of pointer.split('/').slice(1)) {
      const next = isCollection(node)
        ? node.get(key.replaceAll('~1', '/').replaceAll('~0', '~'), true)
        : undefined;
      if (next === undefined) break;
      node = next;
    }
    return isNode(node) && node.range ? lines.linePos(node.range[0]).line : undefined;
  };
  return { ...(faults.length === 0 ? valueOf(document) : { value: {}, faults }), lineOf };
}

function valueOf(document: ReturnType<typeof parseDocument>): Pick<ReadFile, 'value' | 'faults'> {
  try {
    const value: unknown = document.toJS();
    // Anything else is a document without any of its fields, which the service refuses.
    return { value: typeof value === 'object' && value !== null ? { ...value } : {}, faults: [] };
  } catch (error) {
    return { value: {}, faults: [{ line: undefined, message: String(error) }] };
  }
}

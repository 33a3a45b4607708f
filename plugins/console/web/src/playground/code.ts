import { apiUrl } from '../place.ts';
import { bytesOf, fileName, readFile } from '../views/files.ts';

/** The body of a call. */
export interface CallBody {
  readonly algorithm_id: string;
  readonly version_id: string;
  readonly input_data: Record<string, unknown>;
  readonly params: Record<string, unknown>;
}

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A file that a program reads from the folder in which it runs. */
export interface CodeFile {
  readonly name: string;
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer> | string;
}

export interface Program {
  readonly code: string;
  readonly files: readonly CodeFile[];
}

/** A value that stands in a file: `prefix`, and then the bytes of the file in base64. */
interface Reference {
  readonly prefix: string;
  readonly file: CodeFile;
}

type References = ReadonlyMap<string, Reference>;

/** Shorter pictures are written out; calls that are longer without their pictures are read from a file as a whole. */
const LONGEST_PICTURE = 2_000;
const LONGEST_CALL = 30_000;

/** The call as a program with exactly these values. The key is read from the environment and never printed. */
export function codeFor(language: Language, call: CallBody): Program {
  const url = `${apiUrl}/algorithms/call`;
  const references = referencesIn(call.input_data);
  const isLong =
    literal(call, JSON_WORDS, (value) => (references.has(value) ? '""' : undefined)).length > LONGEST_CALL;
  if (isLong) {
    const file = { name: 'call.json', type: 'application/json', content: JSON.stringify(call, null, 2) };
    return { code: PROGRAMS[language](url, call, new Map(), file.name), files: [file] };
  }
  const files = [...references.values()].map(({ file }) => file);
  return { code: PROGRAMS[language](url, call, references), files };
}

type Writer = (url: string, call: CallBody, references: References, callFile?: string) => string;

const PROGRAMS: Readonly<Record<Language, Writer>> = { curl, TypeScript: typescript, Python: python };

function referencesIn(input: Record<string, unknown>): References {
  const found = new Map<string, Reference>();
  const look = (value: unknown, name: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [member, each] of Object.entries(value)) look(each, member);
    } else if (typeof value === 'string' && value.length > LONGEST_PICTURE && !found.has(value)) {
      const isTaken = [...found.values()].some(({ file }) => file.name.startsWith(`${name}.`));
      const reference = referenceTo(value, isTaken ? `${name}-${found.size + 1}` : name);
      if (reference) found.set(value, reference);
    }
  };
  look(input, 'input');
  return found;
}

function referenceTo(value: string, name: string): Reference | undefined {
  const file = readFile(value, undefined);
  if (!file || !('base64' in file.content)) return undefined;
  const prefix = value.slice(0, value.length - file.content.base64.length);
  try {
    const content = bytesOf(file);
    // Another way to write the same bytes would not give exactly this value.
    if (btoa(atob(file.content.base64)) !== file.content.base64) return undefined;
    const safe = name.replaceAll(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+/, '') || 'input';
    return { prefix, file: { name: fileName(file, safe), type: file.type, content } };
  } catch {
    return undefined;
  }
}

function curl(url: string, call: CallBody, references: References, callFile?: string): string {
  const options = `-sS ${quoted(url)} \\
  -H "Authorization: Bearer $VITRINE_KEY" \\
  -H 'Content-Type: application/json'`;
  if (callFile !== undefined) return `curl ${options} \\\n  --data-binary @${callFile}`;
  if (references.size === 0) {
    return `curl ${options} \\\n  --data-binary @- <<'VITRINE'\n${literal(call, JSON_WORDS)}\nVITRINE`;
  }
  const mark = markFor(call);
  const body = literal(call, JSON_WORDS, (value) => {
    const reference = references.get(value);
    return reference && JSON.stringify(`${reference.prefix}${mark}${reference.file.name}${mark}`);
  });
  // Between two marks stands the name of a file.
  const pieces = body
    .split(mark)
    .map((piece, i) =>
      i % 2 === 0 ? `  printf '%s' ${quoted(piece)}` : `  base64 < ${piece} | tr -d '\\n'`,
    );
  return `{\n${pieces.join('\n')}\n} | curl ${options} \\\n  --data-binary @-`;
}

/** A text that the call does not contain. */
function markFor(call: CallBody): string {
  const json = JSON.stringify(call);
  let mark = '@@';
  while (json.includes(mark)) mark += '@';
  return mark;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function typescript(url: string, call: CallBody, references: References, callFile?: string): string {
  const value = literal(call, JSON_WORDS, (each) => {
    const reference = references.get(each);
    return (
      reference && joined(reference.prefix, `readFileSync(${JSON.stringify(reference.file.name)}, 'base64')`)
    );
  });
  const body =
    callFile === undefined
      ? `JSON.stringify(${indented(value)})`
      : `readFileSync(${JSON.stringify(callFile)})`;
  const isReading = callFile !== undefined || references.size > 0;
  return `${isReading ? "import { readFileSync } from 'node:fs';\n\n" : ''}const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.VITRINE_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: ${body},
});
if (!response.ok) throw new Error(await response.text());
const call = await response.json();
console.log(call.status, JSON.stringify(call.output_data, null, 2));`;
}

function python(url: string, call: CallBody, references: References, callFile?: string): string {
  const value = literal(call, PYTHON_WORDS, (each) => {
    const reference = references.get(each);
    return reference && joined(reference.prefix, `in_base64(${JSON.stringify(reference.file.name)})`);
  });
  const helper =
    references.size === 0
      ? ''
      : `

def in_base64(path):
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode()

`;
  const body =
    callFile === undefined ? 'json.dumps(call).encode()' : `open(${JSON.stringify(callFile)}, "rb").read()`;
  return `import ${references.size === 0 ? '' : 'base64, '}json, os, urllib.error, urllib.request
${helper}${callFile === undefined ? `\ncall = ${value}` : ''}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=${body},
    headers={
        "Authorization": "Bearer " + os.environ["VITRINE_KEY"],
        "Content-Type": "application/json",
    },
)
try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    raise SystemExit(error.read().decode())
print(answer["status"], json.dumps(answer["output_data"], indent=2))`;
}

function joined(prefix: string, expression: string): string {
  return prefix === '' ? expression : `${JSON.stringify(prefix)} + ${expression}`;
}

function indented(code: string): string {
  return code.replaceAll('\n', '\n  ');
}

/** How a language writes what is neither text, number, list nor object. */
type Words = Readonly<Record<'null' | 'true' | 'false', string>>;

const JSON_WORDS: Words = { null: 'null', true: 'true', false: 'false' };
const PYTHON_WORDS: Words = { null: 'None', true: 'True', false: 'False' };
const WIDTH = 100;

/**
 * A value as a literal. The escapes of JSON mean the same in JavaScript and Python. Lists of plain values fill their lines.
 * `replace` may answer an expression for a text.
 */
function literal(
  value: unknown,
  words: Words,
  replace: (text: string) => string | undefined = () => undefined,
  indent = '',
): string {
  if (typeof value === 'string') return replace(value) ?? JSON.stringify(value);
  if (value === null || value === undefined) return words.null;
  if (typeof value === 'boolean') return words[value ? 'true' : 'false'];
  if (typeof value !== 'object') return JSON.stringify(value);
  const deeper = `${indent}  `;
  const inner = (each: unknown): string => literal(each, words, replace, deeper);
  if (Array.isArray(value)) {
    const items = value.map(inner);
    if (items.length === 0) return '[]';
    const isPlain = value.every((each) => typeof each !== 'object' || each === null);
    const lines = isPlain ? filled(items, WIDTH - deeper.length) : items;
    return lines.length === 1 && isPlain
      ? `[${lines[0]}]`
      : `[\n${deeper}${lines.join(`,\n${deeper}`)}\n${indent}]`;
  }
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${inner(each)}`);
  return members.length === 0 ? '{}' : `{\n${deeper}${members.join(`,\n${deeper}`)}\n${indent}}`;
}

/** Items in lines of at most a width, without the comma at the end of a line. */
function filled(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const item of items) {
    if (line !== '' && line.length + item.length + 2 > width) {
      lines.push(line);
      line = item;
    } else line = line === '' ? item : `${line}, ${item}`;
  }
  lines.push(line);
  return lines;
}

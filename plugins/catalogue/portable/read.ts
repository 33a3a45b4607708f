import { LineCounter, parse, YAMLParseError } from 'yaml';
import { ValidationFailed } from '../../../core/index.ts';
import type { PortableSection, SchemaFinding, SchemaValidator } from '../contract.ts';
import { labelKey } from '../versions.ts';
import {
  FORMAT,
  PortableAlgorithm,
  PortableEnvelope,
  type PortableCatalogue,
  type PortableVersion,
} from './schemas.ts';
import { below, pointerTo } from '../schema/json.ts';
import { placeOf } from './place.ts';
import { asStored } from './stored-form.ts';

type Checks = Pick<SchemaValidator, 'checkFor'>;

interface CheckOptions {
  readonly checks: Checks;
  readonly sections: readonly PortableSection[];
  readonly skipUnknown: boolean;
  /** The JSON Pointer of the file in what was sent, which those of faults begin with. */
  readonly at?: string;
}

/** Reads the text of a file. Throws `ValidationFailed` for what is no YAML, and what `checkPortable` throws. */
export async function readPortable(text: string, options: CheckOptions): Promise<PortableCatalogue> {
  const value = parsed(text);
  refuseForeign(value);
  return checkPortable(value, options);
}

/**
 * Checks a file. Throws `ValidationFailed` with every fault: what breaks the form, or names something twice, and sections of
 * plugins that are not enabled here, unless these are to be skipped.
 */
export async function checkPortable(
  value: unknown,
  { checks, sections, skipUnknown, at }: CheckOptions,
): Promise<PortableCatalogue> {
  refuse(value, await findingsOf(checks, PortableEnvelope, value, ''), at);
  const file = value as PortableCatalogue;
  if (file.vitrine !== FORMAT) {
    throw ValidationFailed(
      `The file has the form ${file.vitrine}, and this version of Vitrine reads the form ${FORMAT}. Upgrade Vitrine.`,
      { errors: below(at ?? '', [{ pointer: '/vitrine', message: `must be ${FORMAT}.` }]) },
    );
  }
  const findings: SchemaFinding[] = [];
  for (const [n, algorithm] of file.algorithms.entries()) {
    findings.push(...(await findingsOf(checks, PortableAlgorithm, algorithm, `/algorithms/${n}`)));
  }
  const given = file.sections ?? {};
  const known: Record<string, unknown> = {};
  for (const [name, section] of Object.entries(given)) {
    const owner = sections.find((each) => each.name === name);
    if (owner) {
      known[name] = section;
      findings.push(...(await findingsOf(checks, owner.schema, section, pointerTo('sections', name))));
    } else if (!skipUnknown) {
      const message =
        'belongs to a plugin that is not enabled here. Enable it, or leave such sections out (`skip_unknown`, or --skip-unknown of the command).';
      findings.push({ pointer: pointerTo('sections', name), message });
    }
  }
  refuse(file, findings, at);
  const algorithms = file.algorithms.map(asStored);
  refuse(file, repeatedNames(algorithms), at);
  return { ...file, algorithms, sections: known };
}

function parsed(text: string): unknown {
  const lineCounter = new LineCounter();
  try {
    // The pretty form has lines of the file, which may be anything: a backup, for example.
    return parse(text, { lineCounter, prettyErrors: false });
  } catch (error) {
    if (!(error instanceof YAMLParseError || error instanceof ReferenceError)) throw error;
    const why = error instanceof YAMLParseError ? inLine(error, lineCounter) : error.message;
    throw ValidationFailed(`The file is no YAML that can be read: ${why}`, { cause: error });
  }
}

function inLine({ code, message, pos }: YAMLParseError, lines: LineCounter): string {
  const { line } = lines.linePos(pos[0]);
  // Behind a colon, this message quotes the rest of the text.
  const reason = code === 'UNEXPECTED_TOKEN' ? message.replace(/: .*/s, '') : message;
  return `line ${line}: ${reason}.`;
}

async function findingsOf(
  checks: Checks,
  schema: object,
  value: unknown,
  at: string,
): Promise<readonly SchemaFinding[]> {
  return below(at, await checks.checkFor(schema as Readonly<Record<string, unknown>>)(value));
}

/** Everything is found again by its name, and a version by its label, as the catalogue tells labels apart. */
function repeatedNames(algorithms: readonly PortableAlgorithm[]): readonly SchemaFinding[] {
  return [
    ...repeated(algorithms.map(({ name }) => name)).map((n) => twice(`/algorithms/${n}/name`)),
    ...algorithms.flatMap(({ versions = [] }, n) => repeatedIn(versions, `/algorithms/${n}/versions`)),
  ];
}

function repeatedIn(versions: readonly PortableVersion[], at: string): readonly SchemaFinding[] {
  return [
    ...repeated(versions.map(({ version }) => labelKey(version))).map((n) => twice(`${at}/${n}/version`)),
    ...versions.flatMap(({ examples = [] }, n) =>
      repeated(examples.map(({ name }) => name)).map((m) => twice(`${at}/${n}/examples/${m}/name`)),
    ),
  ];
}

/** The positions of what stood there before. */
function repeated(names: readonly string[]): readonly number[] {
  const known = new Set<string>();
  return [...names.entries()].flatMap(([n, name]) => {
    if (known.has(name)) return [n];
    known.add(name);
    return [];
  });
}

function twice(pointer: string): SchemaFinding {
  return { pointer, message: 'stands there a second time.' };
}

/** Runs `work`, and adds the place to a refusal that names none. */
export async function placed<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!ValidationFailed.is(error) || error.extras.errors !== undefined) throw error;
    const { message } = error;
    throw ValidationFailed(message, { cause: error, errors: [{ pointer: place, message }] });
  }
}

/** What `vitrine export` writes says its form. */
function refuseForeign(value: unknown): void {
  if (typeof value === 'object' && value !== null && 'vitrine' in value) return;
  throw ValidationFailed(
    `The file is no catalogue, and nothing was changed: it does not say "vitrine: ${FORMAT}". Name one that \`vitrine export\` wrote, or begin yours with that line.`,
    { errors: [{ pointer: '/vitrine', message: 'is required.' }] },
  );
}

const MOST_SHOWN = 10;
const MOST_SENT = 50;

/** Throws `ValidationFailed` with the first findings and how many more there are, if there are any. */
export function refuse(file: unknown, findings: readonly SchemaFinding[], at = ''): void {
  if (findings.length === 0) return;
  const shown = findings
    .slice(0, MOST_SHOWN)
    .map(({ pointer, message }) => `${pointer || '/'}${placeOf(file, pointer)} ${message}`);
  const more = findings.length > MOST_SHOWN ? `\n… and ${findings.length - MOST_SHOWN} more` : '';
  const unsent = findings.length > MOST_SENT ? ` (the first ${MOST_SENT} have their places)` : '';
  throw ValidationFailed(
    `The file cannot be imported, and nothing was changed:\n${shown.join('\n')}${more}${unsent}`,
    { errors: below(at, findings.slice(0, MOST_SENT)) },
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject } from 'ajv';
import { parse, parseAllDocuments } from 'yaml';
import { packageRoot } from '../../../core/runtime/package-root.ts';
import type { Value } from './go-yaml.ts';
import { renderTemplates } from './render.ts';

/** Values as a file holds them; what is not named keeps the default of the chart. */
export type Values = Readonly<Record<string, Value>>;

/** A Kubernetes object. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on what it reads
  readonly [part: string]: any;
}

export const chartDirectory = join(packageRoot, 'deploy', 'helm', 'vitrine');

const read = (path: string): string => readFileSync(join(chartDirectory, path), 'utf8');

// Helm reads YAML 1.1.
export const defaultValues = parse(read('values.yaml'), { version: '1.1' }) as Values;

/** What `values.schema.json` finds wrong; it judges the defaults and the given values together, as Helm does. */
export function faultsOf(values: Values): readonly ErrorObject[] {
  const check = new Ajv({ allErrors: true, strict: false }).compile(
    JSON.parse(read('values.schema.json')) as object,
  );
  return check(merged(defaultValues, values)) ? [] : (check.errors ?? []);
}

/** The text of every template by its file's name, with the release `demo` in the namespace `prod`. */
export function renderChart(values: Values = {}): ReadonlyMap<string, string> {
  const chart = parse(read('Chart.yaml')) as Record<string, string>;
  const names = readdirSync(join(chartDirectory, 'templates'));
  return renderTemplates(new Map(names.map((name) => [name, read(`templates/${name}`)])), {
    Values: merged(defaultValues, values),
    Chart: { Name: chart['name']!, Version: chart['version']!, AppVersion: chart['appVersion']! },
    Release: { Name: 'demo', Namespace: 'prod', Service: 'Helm' },
  });
}

/** The objects in what was rendered, each checked to be one. */
export function manifestsIn(rendered: ReadonlyMap<string, string>): readonly Manifest[] {
  const texts = [...rendered].filter(([name]) => name.endsWith('.yaml')).map(([, text]) => text);
  return texts.flatMap((text) =>
    parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
      if ('errors' in document && document.errors.length > 0) throw document.errors[0]!;
      const manifest = document.toJS() as Manifest | null;
      return manifest === null ? [] : [manifest];
    }),
  );
}

/** Maps are merged, everything else is replaced. Helm lets `null` take a default away; the chart has no use for that. */
function merged(defaults: Value, given: Value): Values {
  if (!isMap(defaults) || !isMap(given)) throw new Error('Only maps can be merged.');
  const both = Object.entries(given).map(([key, value]) => {
    const before = defaults[key];
    return [key, isMap(before) && isMap(value) ? merged(before, value) : value];
  });
  return { ...defaults, ...(Object.fromEntries(both) as Values) };
}

function isMap(value: Value | undefined): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

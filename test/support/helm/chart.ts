import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { packageRoot } from '../../../core/support/package-root.ts';
import { helm } from './helm.ts';

/** What a file of values can hold. */
type Value = string | number | boolean | null | readonly Value[] | { readonly [name: string]: Value };

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

/** Helm would take the version that it was built with. */
const KUBERNETES = 'v1.31.0';

export const chartDirectory = join(packageRoot, 'deploy', 'helm', 'vitrine');

const read = (path: string): string => readFileSync(join(chartDirectory, path), 'utf8');

// Helm reads YAML 1.1.
export const defaultValues = parse(read('values.yaml'), { version: '1.1' }) as Values;

/** What Helm makes of the chart as the release `demo` in the namespace `prod`. Throws what Helm says of bad values. */
export function renderChart(values: Values = {}): readonly Manifest[] {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-values-'));
  try {
    const file = join(directory, 'values.yaml');
    writeFileSync(file, stringify(values));
    const release = ['demo', chartDirectory, '--namespace', 'prod', '--kube-version', KUBERNETES];
    const { status, stdout, stderr } = helm('template', ...release, '--values', file);
    if (status !== 0) throw new Error(stderr);
    return parseAllDocuments(stdout, { version: '1.1' }).map((document) => document.toJS() as Manifest);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

import { api, ApiError, dataOf } from '../../api/client.ts';
import type { Algorithm, Version } from '../../api/queries.ts';

/** What of an algorithm a copy has besides what people read about it. */
export interface CopyOptions {
  readonly name: string;
  readonly versions: 'all' | 'default' | 'none';
  readonly hasExamples: boolean;
}

/**
 * Copies an algorithm into a draft, which only administrators see and which cannot be called until it is published. What was made
 * of it is deleted when the rest cannot be made.
 */
export async function copyAlgorithm(of: Algorithm, options: CopyOptions): Promise<string> {
  const { description, type, tags, readme = '' } = of;
  const body = { name: options.name, description, type, tags, readme };
  const { id } = await dataOf(
    api.POST('/algorithms', { body: { ...body, status: 'inactive', access: 'private' } }),
  );
  try {
    for (const version of chosenOf(of, options.versions)) await copyVersion(version, id, options.hasExamples);
    return id;
  } catch (error) {
    await api.DELETE('/algorithms/{algorithm_id}', { params: { path: { algorithm_id: id } } });
    throw error;
  }
}

/** The oldest first, as lists have the newest first. */
function chosenOf({ versions }: Algorithm, which: CopyOptions['versions']): readonly Version[] {
  if (which === 'none') return [];
  return which === 'all' ? versions.toReversed() : versions.filter((version) => version.is_default);
}

async function copyVersion(of: Version, algorithm_id: string, hasExamples: boolean): Promise<void> {
  const { version, url, params, input_schema, output_schema, is_default } = of;
  const made = await dataOf(
    api.POST('/algorithms/{algorithm_id}/versions', {
      params: { path: { algorithm_id } },
      body: { version, url, params, input_schema, output_schema, is_default },
    }),
  );
  if (hasExamples) await copyExamples(of, made);
}

/** Copies the examples of a version to another one. Those that either version does not accept are left out. */
export async function copyExamples(from: Version, to: Version): Promise<void> {
  const path = (of: Version) => ({ algorithm_id: of.algorithm_id, version_id: of.id });
  const route = '/algorithms/{algorithm_id}/versions/{version_id}/examples';
  const examples = await dataOf(api.GET(route, { params: { path: path(from) } }));
  for (const example of examples.filter(({ fits }) => fits)) {
    const { name, description, input_data, params, output_data, tolerance, is_default } = example;
    const body = { name, description, input_data, params, output_data, tolerance, is_default };
    try {
      await dataOf(api.POST(route, { params: { path: path(to) }, body }));
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 422)) throw error;
    }
  }
}

import type { Algorithm, AlgorithmVersion } from './contract.ts';
import type { AlgorithmRow, VersionRow } from './models.ts';

/** The columns of a row, without the members of a model. */
export type AlgorithmColumns = Pick<AlgorithmRow, keyof Algorithm | 'default_version_id'>;
export type VersionColumns = Pick<VersionRow, Exclude<keyof AlgorithmVersion, 'is_default'>>;

/** Null for an empty object, which means the same and is not stored. */
export function orNull<T extends object>(value: T | null | undefined): T | null {
  return value && Object.keys(value).length > 0 ? value : null;
}

export function algorithmOf(row: AlgorithmColumns): Algorithm {
  const { id, name, description, type, status, access, tags, created_at, updated_at } = row;
  return { id, name, description, type, status, access, tags, created_at, updated_at };
}

export function versionOf(row: VersionColumns, defaultVersionId: string | null): AlgorithmVersion {
  const { id, algorithm_id, version, url, params, input_schema, output_schema } = row;
  const { schema_too_costly_since, schema_paused_until, created_at, updated_at } = row;
  const is_default = id === defaultVersionId;
  return {
    id,
    algorithm_id,
    version,
    url,
    params,
    input_schema,
    output_schema,
    is_default,
    schema_too_costly_since,
    schema_paused_until,
    created_at,
    updated_at,
  };
}

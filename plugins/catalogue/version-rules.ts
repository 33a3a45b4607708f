import { Problem, token, ValidationFailed } from '../../core/index.ts';
import type { SchemaFinding, SchemaValidator } from './contract.ts';
import type { EndpointUrls } from './endpoint-urls.ts';
import { brokenSpecs } from './parameters/specs.ts';
import { below } from './schema/json.ts';
import { allowsObjects } from './schema/root-types.ts';
import type { VersionChanges } from './schemas.ts';

type Schema = NonNullable<VersionChanges['input_schema']>;

/** The rules for versions beyond the schemas of their fields. */
export class VersionRules {
  readonly #urls: EndpointUrls;
  readonly #validator: SchemaValidator;

  constructor(deps: { urls: EndpointUrls; validator: SchemaValidator }) {
    this.#urls = deps.urls;
    this.#validator = deps.validator;
  }

  /** Checks the given fields. Throws `ValidationFailed`, with the faults of all of them, or `EgressDenied`. */
  async check({ url, params, input_schema, output_schema }: VersionChanges): Promise<void> {
    if (url !== undefined) this.#urls.check(url);
    const [inputFaults, outputFaults] = await Promise.all([
      input_schema ? this.#inputFaults(input_schema) : [],
      output_schema ? this.#validator.faultsOf(output_schema) : [],
    ]);
    const errors = [
      ...below('/body/params', params ? brokenSpecs(params) : []),
      ...below('/body/input_schema', inputFaults),
      ...below('/body/output_schema', outputFaults),
    ];
    if (errors.length > 0)
      throw ValidationFailed('The version is invalid; each error names its place.', { errors });
  }

  /** What `check` refuses, by the places that it names. A fault of the address does not hide those of the rest. */
  async faultsOf({ url, ...shape }: VersionChanges): Promise<readonly SchemaFinding[]> {
    const ofUrl = url === undefined ? [] : await faultsIn(this.check({ url }));
    return [...ofUrl, ...(await faultsIn(this.check(shape)))];
  }

  async #inputFaults(schema: Schema): Promise<readonly SchemaFinding[]> {
    const faults = await this.#validator.faultsOf(schema);
    return faults.length > 0 || allowsObjects(schema) ? faults : [NO_INPUT];
  }
}

export const VERSION_RULES = token<VersionRules>('catalogue:version-rules');

/** Whether an error refuses what was given; any other one, such as an overload, says nothing about it. */
export function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && error.status < 500;
}

async function faultsIn(check: Promise<void>): Promise<readonly SchemaFinding[]> {
  try {
    await check;
    return [];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.extras.errors ?? [{ pointer: '/body', message: error.message }];
  }
}

const NO_INPUT = { pointer: '', message: 'must allow objects, because the input of a call is always one.' };

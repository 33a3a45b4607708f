import { token, ValidationFailed } from '../../core/index.ts';
import type { SchemaFinding, SchemaValidator } from './contract.ts';
import type { EndpointUrls } from './endpoint-urls.ts';
import { brokenSpecs } from './parameters/specs.ts';
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
      ...below('params', params ? brokenSpecs(params) : []),
      ...below('input_schema', inputFaults),
      ...below('output_schema', outputFaults),
    ];
    if (errors.length > 0)
      throw ValidationFailed('The version is invalid; each error names its place.', { errors });
  }

  async #inputFaults(schema: Schema): Promise<readonly SchemaFinding[]> {
    const faults = await this.#validator.faultsOf(schema);
    return faults.length > 0 || allowsObjects(schema) ? faults : [NO_INPUT];
  }
}

export const VERSION_RULES = token<VersionRules>('catalogue:version-rules');

const NO_INPUT = { pointer: '', message: 'must allow objects, because the input of a call is always one.' };

function below(field: string, faults: readonly SchemaFinding[]): SchemaFinding[] {
  return faults.map(({ pointer, message }) => ({ pointer: `/body/${field}${pointer}`, message }));
}

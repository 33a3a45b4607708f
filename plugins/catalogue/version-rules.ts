import { ValidationFailed } from '../../core/index.ts';
import type { SchemaValidator } from './contract.ts';
import type { EndpointUrls } from './endpoint-urls.ts';
import { brokenSpecs } from './parameters/specs.ts';
import { allowsObjects } from './schema/root-types.ts';
import type { VersionChanges } from './schemas.ts';

/** The rules for versions beyond the schemas of their fields. */
export class VersionRules {
  readonly #urls: EndpointUrls;
  readonly #validator: SchemaValidator;

  constructor(deps: { urls: EndpointUrls; validator: SchemaValidator }) {
    this.#urls = deps.urls;
    this.#validator = deps.validator;
  }

  /** Checks the given fields. Throws `ValidationFailed` or `EgressDenied`. */
  async check(version: VersionChanges): Promise<void> {
    if (version.url !== undefined) this.#urls.check(version.url);
    const specs = version.params ? brokenSpecs(version.params) : [];
    if (specs.length > 0) {
      const errors = specs.map(({ pointer, message }) => ({ pointer: `/body/params${pointer}`, message }));
      throw ValidationFailed('The parameter definitions are invalid; each error names its place.', {
        errors,
      });
    }
    await Promise.all(
      (['input_schema', 'output_schema'] as const).map(async (field) => {
        if (version[field]) await this.#validator.accept(version[field], `/body/${field}`);
      }),
    );
    if (version.input_schema && !allowsObjects(version.input_schema)) {
      const message = 'must allow objects, because the input of a call is always one.';
      throw ValidationFailed('The input schema allows no input.', {
        errors: [{ pointer: '/body/input_schema', message }],
      });
    }
  }
}

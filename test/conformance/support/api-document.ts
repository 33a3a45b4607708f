import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TestResponse } from '../../../core/testing.ts';

interface Media {
  readonly schema?: object;
  readonly examples?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}
interface OpenApi {
  readonly components?: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Answers of the service to what is no operation of it. */
const OF_NO_OPERATION = ['route_not_found', 'method_not_allowed'];

/** The OpenAPI document of a running service, and what its real answers have to do with it. */
export class ApiDocument {
  readonly #paths: OpenApi['paths'];
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  readonly #validators = new Map<object, ValidateFunction>();

  constructor(document: OpenApi) {
    this.#paths = document.paths;
    formats.default(this.#ajv);
    this.#ajv.addSchema(document, 'api');
  }

  get operations(): string[] {
    return Object.entries(this.#paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
  }

  /** How an answer differs from what the document says of its operation; empty when it does not. */
  deviations(method: string, path: string, answer: TestResponse): string[] {
    if (OF_NO_OPERATION.includes(answer.body?.code)) return [];
    const operation = this.#operation(method, path);
    if (!operation) return ['the document has no such operation'];
    const declared = operation.responses[String(answer.status)];
    if (!declared) return [`${answer.status} is not declared`];
    const type = answer.headers['content-type']?.split(';')[0] ?? '';
    const media = declared.content?.[type];
    if (!media) return [`${type} is not declared for ${answer.status}`];
    const code = answer.body?.code as string | undefined;
    if (media.examples && answer.status >= 400 && !((code ?? '') in media.examples)) {
      return [`the code ${code} is not declared for ${answer.status}`];
    }
    return this.#faults(media, answer.body);
  }

  #operation(method: string, path: string): Operation | undefined {
    const [asked = ''] = path.split('?');
    const fits = Object.keys(this.#paths).filter((template) =>
      new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`).test(asked),
    );
    const template = fits.find((one) => !one.includes('{')) ?? fits[0];
    return this.#paths[template ?? '']?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  }

  #faults({ schema }: Media, body: unknown): string[] {
    if (!schema) return [];
    const validate = this.#validators.get(schema) ?? this.#ajv.compile(inDocument(schema));
    this.#validators.set(schema, validate);
    validate(body);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'body'} ${message}`);
  }
}

/** The same schema with references that lead into the document. */
function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as object;
}

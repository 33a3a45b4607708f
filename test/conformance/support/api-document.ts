import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { TestResponse } from '../../../core/testing.ts';

interface Media {
  readonly schema?: object;
}
interface Response {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}
interface OpenApi {
  readonly components?: {
    readonly responses?: Readonly<Record<string, Response>>;
    readonly schemas?: object;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Answers of the service to what is no operation of it. */
const OF_NO_OPERATION = ['route_not_found', 'method_not_allowed'];

/** Headers that say nothing of the operation. */
const OF_EVERY_ANSWER = new Set([
  'x-request-id',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'x-content-type-options',
  'vary',
]);

/** The OpenAPI document of a running service, and what its real answers have to do with it. */
export class ApiDocument {
  readonly #paths: OpenApi['paths'];
  readonly #responses: Readonly<Record<string, Response>>;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
  readonly #validators = new Map<object, ValidateFunction>();

  constructor(document: OpenApi) {
    this.#paths = document.paths;
    this.#responses = document.components?.responses ?? {};
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
    const declared = this.#resolved(operation.responses[String(answer.status)]);
    if (!declared) return [`${answer.status} is not declared`];
    const type = answer.headers['content-type']?.split(';')[0] ?? '';
    const media = declared.content?.[type];
    if (!media) return [`${type} is not declared for ${answer.status}`];
    return [...undeclaredHeaders(declared, answer), ...this.#faults(media, answer.body)];
  }

  #resolved(response: Response | undefined): Response | undefined {
    const name = response?.$ref?.split('/').at(-1);
    return name === undefined ? response : this.#responses[name];
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

function undeclaredHeaders({ headers = {} }: Response, answer: TestResponse): string[] {
  if (answer.status !== 200) return [];
  const declared = Object.keys(headers).map((name) => name.toLowerCase());
  return Object.keys(answer.headers)
    .filter((name) => !OF_EVERY_ANSWER.has(name) && !declared.includes(name))
    .map((name) => `the header ${name} is not declared`);
}

/** The same schema with references that lead into the document. */
function inDocument(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"api#/components')) as object;
}

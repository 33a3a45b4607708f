import { token, ValidationFailed, type UserPrincipal } from '../../core/index.ts';
import type { Catalogue, CallableVersion, SchemaFinding } from '../catalogue/contract.ts';
import type { ChatRequest, LanguageModel, TextAnswer } from './contract.ts';
import type { JsonObject } from './json.ts';
import { answerOf, objectIn, objectSomewhereIn } from './model-answer.ts';
import { GeneratedDataInvalid } from './problems.ts';
import { generationMessages, repairMessages } from './prompts.ts';
import type { GenerateDataAnswer, GenerateDataRequest } from './schemas.ts';
import type { ModelAdmission } from './admission.ts';

type Check = CallableVersion['checkInput'];

/** An answer that is to be an object, and what is wrong with it. */
interface Judged {
  readonly object: JsonObject | undefined;
  readonly findings: readonly SchemaFinding[];
}

const NOT_AN_OBJECT: SchemaFinding = { pointer: '', message: 'must be a JSON object.' };
const NO_RULES: Check = () => [];

/** Makes up input data: in words, as JSON, after the schema of a version, or as an image. */
export class DataGeneration {
  readonly #model: LanguageModel;
  readonly #admission: ModelAdmission;
  readonly #catalogue: Catalogue | undefined;

  constructor(deps: {
    readonly model: LanguageModel;
    readonly admission: ModelAdmission;
    readonly catalogue: Catalogue | undefined;
  }) {
    this.#model = deps.model;
    this.#admission = deps.admission;
    this.#catalogue = deps.catalogue;
  }

  /** Throws `VersionNotFound`, `GeneratedDataInvalid` and the problems of the model. */
  async generate(
    who: UserPrincipal,
    request: GenerateDataRequest,
    client: AbortSignal,
  ): Promise<GenerateDataAnswer> {
    const version = await this.#version(who, request);
    return this.#admission.run('generate_data', who, client, (signal) => {
      if (request.data_type === 'image') return this.#image(request.prompt, signal);
      return version ? this.#object(request, version, signal) : this.#free(request, signal);
    });
  }

  async #version(
    who: UserPrincipal,
    { version_id, data_type }: GenerateDataRequest,
  ): Promise<CallableVersion | undefined> {
    if (version_id === undefined) return undefined;
    if (this.#catalogue === undefined)
      throw unusableVersion('There is no catalogue of algorithms here, so there are no versions.');
    if (data_type === 'image')
      throw unusableVersion('An image follows no schema. Leave out `version_id` or `data_type`.');
    return this.#catalogue.callableByVersion(version_id, who);
  }

  async #image(prompt: string, signal: AbortSignal): Promise<GenerateDataAnswer> {
    const { image, model } = await this.#model.image({ prompt, signal });
    const data = { content_type: image.contentType, data_base64: image.bytes.toString('base64') };
    return { data, type: 'image', model };
  }

  async #free(request: GenerateDataRequest, signal: AbortSignal): Promise<GenerateDataAnswer> {
    if (request.data_type === 'json') return this.#object(request, undefined, signal);
    const wants = request.data_type === 'text' ? 'text' : 'either';
    const messages = generationMessages(request.prompt, {
      wants,
      dataType: request.data_type,
      schema: undefined,
    });
    const answer = await this.#model.chat({ messages, wants, signal });
    const text = answerOf(answer);
    const data = wants === 'text' ? text : (objectIn(text) ?? text);
    const type = request.data_type ?? (typeof data === 'string' ? 'text' : 'json');
    return { data, type, model: answer.model };
  }

  /** Asks for an object; once more, with the findings, when the first answer does not fit. */
  async #object(
    request: GenerateDataRequest,
    version: CallableVersion | undefined,
    signal: AbortSignal,
  ): Promise<GenerateDataAnswer> {
    const check = version?.checkInput ?? NO_RULES;
    const asked = chatFor(request, version?.version.input_schema ?? undefined, signal);
    const first = await this.#model.chat(asked);
    let { object, findings } = await judge(first, check);
    let answer = first;
    if (findings.length > 0) {
      answer = await this.#model.chat({
        ...asked,
        messages: repairMessages(asked.messages, answerOf(first), findings),
      });
      ({ object, findings } = await judge(answer, check));
    }
    if (object === undefined || findings.length > 0) throw stillInvalid(answer.model, findings);
    return { data: object, type: request.data_type ?? 'json', model: answer.model };
  }
}

export const DATA_GENERATION = token<DataGeneration>('llm:data-generation');

function chatFor(
  request: GenerateDataRequest,
  schema: JsonObject | undefined,
  signal: AbortSignal,
): ChatRequest {
  const wants = 'json';
  const messages = generationMessages(request.prompt, { wants, dataType: request.data_type, schema });
  return { messages, wants, signal, ...(schema ? { schema } : {}) };
}

async function judge(answer: TextAnswer, check: Check): Promise<Judged> {
  const object = objectSomewhereIn(answerOf(answer));
  return { object, findings: object === undefined ? [NOT_AN_OBJECT] : await check(object) };
}

function unusableVersion(sentence: string) {
  return ValidationFailed(sentence, { errors: [{ pointer: '/body/version_id', message: sentence }] });
}

function stillInvalid(model: string, findings: readonly SchemaFinding[]) {
  return GeneratedDataInvalid(
    `"${model}" was asked twice and its data does not fit. Describe the data more closely.`,
    {
      errors: findings.slice(0, 20).map(({ pointer, message }) => ({ pointer: `/data${pointer}`, message })),
    },
  );
}

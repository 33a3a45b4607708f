import type {
  ChatRequest,
  Image,
  ImageAnswer,
  ImageRequest,
  LanguageModel,
  TextAnswer,
  VisionRequest,
} from '../contract.ts';
import { diceFor } from './dice.ts';
import { drawnPng } from './drawing.ts';
import { schemaIn } from './prompt-reader.ts';
import { SchemaSampler } from './schema-sampler.ts';

const DRAWING_SIDE = 256;
const ANYTHING = { type: 'object', properties: { text: { type: 'string' }, value: { type: 'number' } } };

/**
 * Stands in where no language model is configured, and never pretends to be one: it makes data after the schema, or
 * after what plain rules read from the prompt, and measures images. The same question gets the same answer.
 */
export class OfflineModel implements LanguageModel {
  readonly name = 'offline';

  chat({ messages, wants, schema }: ChatRequest): Promise<TextAnswer> {
    const prompt = messages.find(({ role }) => role === 'user')?.content ?? '';
    const shape =
      wants === 'text'
        ? undefined
        : (schema ?? schemaIn(prompt) ?? (wants === 'json' ? ANYTHING : undefined));
    const text = shape
      ? JSON.stringify(new SchemaSampler(shape, diceFor(prompt)).sample())
      : sampleText(prompt);
    return Promise.resolve({ text, model: this.name });
  }

  vision({ image }: VisionRequest): Promise<TextAnswer> {
    return Promise.resolve({ text: measured(image), model: this.name });
  }

  image({ prompt }: ImageRequest): Promise<ImageAnswer> {
    const bytes = drawnPng(diceFor(prompt), DRAWING_SIDE);
    const image = { contentType: 'image/png', width: DRAWING_SIDE, height: DRAWING_SIDE, bytes };
    return Promise.resolve({ image, model: this.name });
  }
}

function sampleText(prompt: string): string {
  return `Sample text, made without a language model, for: ${prompt}`;
}

const NAMES: Readonly<Record<string, string>> = {
  'image/png': 'PNG',
  'image/jpeg': 'JPEG',
  'image/gif': 'GIF',
  'image/webp': 'WebP',
};

/** What can be said of an image without looking at it. */
function measured({ contentType, width, height, bytes }: Image): string {
  const shape = width === height ? 'square' : width > height ? 'landscape' : 'portrait';
  const megapixels = ((width * height) / 1e6).toFixed(2);
  const size = bytes.length < 1024 ? `${bytes.length} bytes` : `${(bytes.length / 1024).toFixed(1)} KiB`;
  return (
    `A ${NAMES[contentType] ?? contentType} image in ${shape} format, ${width} × ${height} pixels ` +
    `(${megapixels} megapixels), ${size}. No language model is configured, so what it shows was not looked at.`
  );
}

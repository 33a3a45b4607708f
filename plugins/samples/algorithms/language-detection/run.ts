import { eld } from 'eld/small';
import type { InputOf, OutputOf, ParamsOf } from '../../describing/about.ts';
import { embedded } from '../../describing/embedded.ts';
import { InputRejected } from '../../input-rejected.ts';
import { about } from './about.ts';

const names = new Intl.DisplayNames('en', { type: 'language' });

export function run(input: InputOf<typeof about>, params: ParamsOf<typeof about>): OutputOf<typeof about> {
  const found = eld.detect(input.text);
  if (!found.language) {
    throw new InputRejected('The text holds no words of any known language. Send a sentence in letters.');
  }
  const candidates = Object.entries(found.getScores())
    .sort(([, a], [, b]) => b - a)
    .slice(0, params.max_candidates)
    .map(([language, score]) => ({ language, name: nameOf(language), score }));
  return { language: found.language, name: nameOf(found.language), reliable: found.isReliable(), candidates };
}

function nameOf(language: string): string {
  return names.of(language) ?? language;
}

export default embedded(about, run);

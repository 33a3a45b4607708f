import { parsed } from './json.ts';

/** The tags that reasoning models and their servers put around thoughts. */
const TAG = /<(\/?)(?:think(?:ing)?|thoughts?|reason(?:ing)?)>|\[(\/?)THINK\]/gi;
const FENCED_JSON = /```(?:json\w*)?[ \t]*\r?\n([\s\S]*?)```/gi;
/** A tag within a sentence or quotation marks is mentioned; one after a full stop or before JSON is not. */
const BEFORE_A_MENTION = /(?:[^.!?…\s][ \t]|[`"'“(])$/;
const AFTER_A_MENTION = /^(?:[ \t]+[^\s{[]|[`"'”),.;:!?])/;
/** More than any model writes; a server that repeats itself must not keep the main thread. */
const MOST_THOUGHTS = 20;
const MOST_TAGS = 1000;

interface Tag {
  readonly start: number;
  readonly end: number;
  readonly closes: boolean;
  readonly isMentioned: boolean;
}

/**
 * The answer of a model without the thoughts that it begins with. The opening tag may be missing, since some servers count
 * it among the prompt. A thought that is not closed leaves nothing. Tags in JSON and in sentences belong to the answer.
 */
export function withoutThoughts(text: string): string {
  let answer = text.trim();
  for (let thoughts = 0; thoughts < MOST_THOUGHTS; thoughts++) {
    const end = endOfThought(answer);
    if (end === undefined) break;
    answer = answer.slice(end).trim();
  }
  return answer;
}

/** Where the thought ends that the text begins with; `undefined` when it begins with none. */
function endOfThought(text: string): number | undefined {
  const tags = tagsIn(text);
  const isOpened = tags[0]?.start === 0 && !tags[0].closes;
  const inside = isOpened ? tags.slice(1) : tags;
  const closing = unmatchedClosing(inside) ?? (isOpened ? inside.find(({ closes }) => closes) : undefined);
  return closing?.end ?? (isOpened ? text.length : undefined);
}

/** The first closing tag that has no opening one before it. */
function unmatchedClosing(tags: readonly Tag[]): Tag | undefined {
  let depth = 0;
  return tags.filter(({ isMentioned }) => !isMentioned).find(({ closes }) => (depth += closes ? -1 : 1) < 0);
}

/** The tags that do not stand in JSON. */
function tagsIn(text: string): Tag[] {
  const found: Tag[] = [];
  for (const match of text.matchAll(TAG)) {
    if (found.push(tagAt(text, match)) === MOST_TAGS) break;
  }
  const spans = found.length > 0 ? jsonIn(text) : [];
  return found.filter(({ start }) => !spans.some(([from, to]) => start > from && start < to));
}

function tagAt(text: string, match: RegExpExecArray): Tag {
  const start = match.index;
  const end = start + match[0].length;
  const isMentioned =
    BEFORE_A_MENTION.test(text.slice(Math.max(0, start - 2), start)) &&
    AFTER_A_MENTION.test(text.slice(end, end + 20));
  return { start, end, closes: (match[1] || match[2]) === '/', isMentioned };
}

/** Where JSON stands in a text: in code fences, and from the first bracket to the last. */
function jsonIn(text: string): [from: number, to: number][] {
  const spans = [...text.matchAll(FENCED_JSON)]
    .filter(([, json = '']) => parsed(json))
    .map(({ index, 0: { length } }): [number, number] => [index, index + length]);
  const from = text.search(/[{[]/);
  const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (parsed(text.slice(from, to + 1))) spans.push([from, to]);
  return spans;
}

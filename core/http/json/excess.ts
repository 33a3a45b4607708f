import { beyond, jsonLimits } from './limits.ts';

const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * Scans JSON text before it is parsed and returns which limit it exceeds, as a predicate such as `has more than 10 keys`;
 * `undefined` when it is within the limits, which follow from the number of bytes that it may have. It does not check the
 * grammar.
 */
export function excessOf(text: string, maxBytes: number): string | undefined {
  const limits = jsonLimits(maxBytes);
  /** The number of keys by depth, of the object that is open there. */
  const keysAt = new Uint32Array(limits.depth + 1);
  let [depth, containers, strings, keys] = [0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      strings += 1;
      if (strings > limits.strings) return beyond(limits, 'strings');
      at = endOfString(text, at) - 1;
    } else if (code === OPEN_BRACKET || code === OPEN_BRACE) {
      depth += 1;
      containers += 1;
      if (depth > limits.depth) return beyond(limits, 'depth');
      if (containers > limits.containers) return beyond(limits, 'containers');
      keysAt[depth] = 0;
    } else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth -= 1;
    else if (code === COLON) {
      keys += 1;
      if (keys > limits.keys) return beyond(limits, 'keys');
      if (depth > 0 && ++keysAt[depth]! > limits.keysOfObject) return beyond(limits, 'keysOfObject');
    }
  }
  return undefined;
}

/** The index after the closing quote of the string that begins at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

import type { OutboundResponse } from '../../../../core/index.ts';
import { isJsonType, readJson } from './json-answer.ts';

const MAX_READ = 65_536;
const MAX_SHOWN = 2048;
/** The members in which services put the message for people, most specific first. */
const MEMBERS = ['detail', 'message', 'error', 'error_description', 'title', 'msg'];

/** Patterns of secrets, and their replacements. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi, '$1 [hidden]'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[hidden]'],
  [/\b(?:vk|sk|pk|rk|ghp|gho|glpat|xox[abp])[-_][\w-]{8,}/g, '[hidden]'],
  [/:\/\/[^/\s@]{1,200}@/g, '://[hidden]@'],
  [/\b(password|passwd|secret|token|api[_-]?key)(["']?\s*[:=]\s*["']?)[^\s"',;}]+/gi, '$1$2[hidden]'],
];

/** The first 2 kB of the reason that an endpoint gives for a refusal, without secrets. Empty without a reason. */
export function refusalText({ headers, body }: OutboundResponse): string {
  const type = headers['content-type'];
  if (body.length === 0 || type?.includes('html')) return '';
  const text = isJsonType(type) && body.length <= MAX_READ ? fromJson(body) : fromText(type, body);
  return withoutSecrets(onOneLine(text)).slice(0, MAX_SHOWN);
}

/** How the body of an answer begins, without secrets; empty where it is no text. */
export function excerptOf({ headers, body }: OutboundResponse): string {
  return withoutSecrets(fromText(headers['content-type'], body)).slice(0, MAX_SHOWN).trim();
}

function fromJson(body: Buffer): string {
  const answer = readJson(body, MAX_READ);
  return 'value' in answer ? sentenceIn(answer.value) : '';
}

function fromText(type: string | undefined, body: Buffer): string {
  return type === undefined || type.startsWith('text/') || isJsonType(type)
    ? body.toString('utf8', 0, 2 * MAX_SHOWN)
    : '';
}

function sentenceIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  const members = value as Record<string, unknown>;
  const name = MEMBERS.find((member) => members[member] !== undefined && members[member] !== null);
  if (name === undefined) return JSON.stringify(value);
  const reason = members[name];
  return typeof reason === 'number' || typeof reason === 'boolean' ? String(reason) : sentenceIn(reason);
}

function onOneLine(text: string): string {
  return text
    .slice(0, 2 * MAX_SHOWN)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text);
}

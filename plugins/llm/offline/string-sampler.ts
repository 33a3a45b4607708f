import type { JsonObject } from '../json.ts';
import type { Budget } from './budget.ts';
import type { Dice } from './dice.ts';
import { drawnPng } from './drawing.ts';
import { samplePattern } from './pattern-sampler.ts';

const WORDS = [
  'amber',
  'birch',
  'cedar',
  'delta',
  'ember',
  'fjord',
  'grove',
  'harbour',
  'iris',
  'juniper',
  'kestrel',
  'linden',
];
const NAMES = ['Ada Lovelace', 'Emmy Noether', 'Alan Turing', 'Grace Hopper', 'Carl Gauss', 'Sophie Germain'];
const CITIES = ['Lisbon', 'Kyoto', 'Nairobi', 'Oslo', 'Quito', 'Toronto'];
const LONGEST = 10_000;
const DRAWING_SIDE = 64;
/** Steps of the budget, with all that compressing it takes. */
const PIXEL = 4;
/** A year of seconds from here on serves for dates. */
const FIRST_DAY = Date.UTC(2025, 0, 1);

type Make = (dice: Dice) => string;

const dateTime: Make = (dice) => new Date(FIRST_DAY + dice.between(0, 31_535_999) * 1000).toISOString();
const hex = (dice: Dice, digits: number) =>
  Array.from({ length: digits }, () => dice.between(0, 15).toString(16)).join('');
const address: Make = (dice) => `192.0.2.${dice.between(1, 254)}`;
const host: Make = (dice) => `${dice.pick(WORDS)}.example.org`;

/** A map, because a schema may name any format, such as `constructor`. */
const FORMATS: ReadonlyMap<string, Make> = new Map(
  Object.entries<Make>({
    'date-time': dateTime,
    date: (dice) => dateTime(dice).slice(0, 10),
    time: (dice) => dateTime(dice).slice(11, 19) + 'Z',
    duration: (dice) => `PT${dice.between(1, 59)}M`,
    email: (dice) => `${dice.pick(WORDS)}@example.org`,
    'idn-email': (dice) => `${dice.pick(WORDS)}@example.org`,
    hostname: host,
    'idn-hostname': host,
    ipv4: address,
    ipv6: (dice) => `2001:db8::${dice.between(1, 9999).toString(16)}`,
    uri: (dice) => `https://${host(dice)}/${dice.pick(WORDS)}`,
    'uri-reference': (dice) => `/${dice.pick(WORDS)}`,
    iri: (dice) => `https://${host(dice)}/${dice.pick(WORDS)}`,
    url: (dice) => `https://${host(dice)}/${dice.pick(WORDS)}`,
    uuid: (dice) => `${hex(dice, 8)}-${hex(dice, 4)}-4${hex(dice, 3)}-a${hex(dice, 3)}-${hex(dice, 12)}`,
    'json-pointer': (dice) => `/${dice.pick(WORDS)}`,
    regex: () => '^[a-z]+$',
  }),
);

const NAMED: readonly (readonly [names: RegExp, make: Make])[] = [
  [/e-?mail/i, FORMATS.get('email')!],
  [/city|town|place/i, (dice) => dice.pick(CITIES)],
  [/country/i, (dice) => dice.pick(['Portugal', 'Japan', 'Kenya', 'Norway', 'Ecuador', 'Canada'])],
  [/name|author|customer|person/i, (dice) => dice.pick(NAMES)],
  [/phone/i, (dice) => `+1 555 01${String(dice.between(0, 99)).padStart(2, '0')}`],
  [/date|time|_at$/i, dateTime],
  [/url|link/i, FORMATS.get('uri')!],
  [/colou?r/i, (dice) => `#${hex(dice, 6)}`],
  [/text|sentence|description|comment|review|document|content|message/i, sentence],
];

/**
 * A text for a schema: by its pattern, format or media type; else by what its name suggests; of a fitting length.
 * Throws `SampleTooLarge` when it takes more than the budget holds.
 */
export function sampleString(rules: JsonObject, name: string, dice: Dice, budget: Budget): string {
  const text = written(rules, name, dice, budget);
  budget.spendOn(text);
  return text;
}

function written(rules: JsonObject, name: string, dice: Dice, budget: Budget): string {
  const { pattern, format, contentEncoding, contentMediaType } = rules;
  if (contentEncoding === 'base64') return encoded(contentMediaType, dice, budget);
  if (typeof pattern === 'string')
    return samplePattern(pattern, dice, budget) ?? fitted(dice.pick(WORDS), rules);
  const make =
    typeof format === 'string' ? FORMATS.get(format) : NAMED.find(([names]) => names.test(name))?.[1];
  return fitted((make ?? ((pick) => pick.pick(WORDS)))(dice), rules);
}

function encoded(mediaType: unknown, dice: Dice, budget: Budget): string {
  const isImage = typeof mediaType === 'string' && mediaType.startsWith('image/');
  if (isImage) budget.spend(PIXEL * DRAWING_SIDE ** 2);
  return (isImage ? drawnPng(dice, DRAWING_SIDE) : Buffer.from(sentence(dice))).toString('base64');
}

function sentence(dice: Dice): string {
  const words = Array.from({ length: 8 }, () => dice.pick(WORDS));
  return `${words[0]!.replace(/^./, (letter) => letter.toUpperCase())} ${words.slice(1).join(' ')}.`;
}

/** Cut or filled up to the lengths of the schema, which are counted in characters. */
function fitted(text: string, { minLength, maxLength }: JsonObject): string {
  const least = typeof minLength === 'number' ? Math.min(minLength, LONGEST) : 0;
  const most = typeof maxLength === 'number' ? maxLength : Infinity;
  const long = text.length >= least ? text : text.padEnd(least, ` ${text}`);
  return long.length > most ? long.slice(0, most) : long;
}

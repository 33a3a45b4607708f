import Type, { type Static } from 'typebox';

/** A text in English, and in other languages under their codes: `{ en: 'Notes', zh: '笔记' }`. */
const words = (maxLength: number) =>
  Type.Unsafe<{ readonly en: string } & Readonly<Record<string, string>>>({
    type: 'object',
    required: ['en'],
    additionalProperties: { type: 'string', minLength: 1, maxLength },
    description: `texts by language, of at most ${maxLength} characters, with one in English: { en: '…', zh: '…' }`,
  });

const Title = words(100);

const pointer = (what: string) =>
  Type.String({
    pattern: '^(/([^/~]|~[01])*)*$',
    description: `a JSON pointer to ${what}, such as "/total"`,
  });

const SLUG = '^[a-z][a-z0-9]*(-[a-z0-9]+)*$';
const Slug = Type.String({
  pattern: SLUG,
  maxLength: 60,
  description: 'a name in lower case with single hyphens',
});

/** What a panel shows: one of the plugin's own GET operations, by its `operationId` or its path, and what is asked for. */
const source = {
  from: Type.String({ description: 'the operationId or the path of a GET route of the plugin' }),
  query: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'the query of the request: { days: 7 }',
    }),
  ),
};

/** An object with no other members. */
const closed = <P extends Type.TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });

const Column = closed({ title: Title, value: pointer('a value of a row') });

/** The kinds of panels, each with what it must be told. */
export const PANELS = {
  /** One value, large, with its unit behind it. */
  figure: closed({
    title: Title,
    ...source,
    value: pointer('the value'),
    unit: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  table: closed({
    title: Title,
    ...source,
    rows: pointer('the list of rows'),
    columns: Type.Array(Column, { minItems: 1, maxItems: 20 }),
  }),
  /** Lines over `x`, which is a number or an ISO time of each row. */
  series: closed({
    title: Title,
    ...source,
    rows: pointer('the list of rows'),
    x: pointer('the number or time of a row'),
    lines: Type.Array(Column, { minItems: 1, maxItems: 8 }),
  }),
  markdown: closed({ title: Type.Optional(Title), text: words(20_000) }),
};

type OfKind<S extends Record<string, Type.TSchema>> = {
  readonly [K in keyof S]: { readonly kind: K } & Readonly<Static<S[K]>>;
}[keyof S];

/** A part of a page that needs no code. */
export type Panel = OfKind<typeof PANELS>;

/** The drawings beside the title of a page. */
const ICONS = ['box', 'chart', 'clock', 'code', 'grid', 'key', 'rows', 'star', 'user'] as const;

/** No name begins with a dot, so none leads upwards, and what is hidden stays so. */
const FILE_NAME = '^([\\w-][\\w.-]*/)?[\\w-][\\w.-]*$';

const file = Type.String({
  pattern: FILE_NAME,
  description: 'the name of a file in the folder "webFiles" or in a folder directly within it',
});

const about = {
  id: Slug,
  title: Title,
  icon: Type.Optional(Type.Enum([...ICONS])),
  /** Who finds it in the menu. What its operations answer is a matter of their own access rules. */
  access: Type.Enum(['everyone', 'user', 'admin']),
};

/** The kinds of pages: made of panels, an ES module of the plugin, or a document in a sandboxed frame. */
export const PAGES = {
  panels: closed({
    ...about,
    panels: Type.Array(Type.Unsafe<Panel>({ type: 'object' }), { minItems: 1, maxItems: 40 }),
  }),
  /** Exports `mount(element, context)`. */
  module: closed({ ...about, file }),
  frame: closed({ ...about, file }),
};

/** A page that a plugin adds to the console. */
export type PluginPage = OfKind<typeof PAGES>;

/**
 * Declares a page in a file of its own: `export const system = page({ … })`. `page.icons` are the icons that it may have, and
 * `page.fileName` is the pattern of the names that its files may have.
 */
export const page = Object.assign((definition: PluginPage): PluginPage => definition, {
  icons: ICONS,
  fileName: FILE_NAME,
});

const view = {
  /** An `x-view` asks for it as `{ kind: '<plugin>:<id>' }`. */
  id: Slug,
  title: Title,
  /** Media types of files that are shown with it, also without an `x-view`. */
  mediaTypes: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z]+/[a-z0-9.+-]+$', description: 'a media type in lower case' }), {
      maxItems: 20,
    }),
  ),
  file,
};

export const VIEWS = { module: closed(view), frame: closed(view) };

/** A way to show a result, which a plugin adds to the console. */
export type PluginView = OfKind<typeof VIEWS>;

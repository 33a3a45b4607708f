import { jsonObject, named, page, Type } from '../../core/index.ts';

const text = (description: string, example: string) => Type.String({ description, examples: [example] });
const words = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description,
    examples: [example],
  });

const title = words('In English as `en`, and perhaps in other languages.', { en: 'Gateway' });
const plugin = text('The plugin that it belongs to.', 'gateway');
const id = text('Its name within the plugin.', 'traffic');

const code = {
  kind: Type.Enum(['module', 'frame'], {
    description: 'An ES module that exports `mount`, or a document for a sandboxed frame.',
  }),
  file: text('Its address below that of the console.', 'page-files/call-notes/notes.js'),
  operations: Type.Array(Type.String(), {
    description: 'The operations of the plugin, which are all that a frame may ask for.',
    examples: [['GET /gateway/stats']],
  }),
};

const Column = Type.Object({ title, value: text('A JSON pointer into a row.', '/id') });

const Panel = named(
  'ConsolePanel',
  Type.Object({
    kind: Type.Enum(['figure', 'table', 'series', 'markdown'], { description: 'How it is drawn.' }),
    title: Type.Optional(title),
    text: Type.Optional(words('The document of `markdown`.', { en: 'Counts every call.' })),
    from: Type.Optional(text('The path of the GET operation that fills it.', '/gateway/stats')),
    query: Type.Optional(jsonObject({ description: 'What is asked for.', examples: [{}] })),
    value: Type.Optional(text('A JSON pointer to the value of `figure`.', '/total_requests')),
    unit: Type.Optional(text('What stands behind the value.', '%')),
    rows: Type.Optional(text('A JSON pointer to the rows of `table` and `series`.', '/policies')),
    columns: Type.Optional(Type.Array(Column, { description: 'Those of `table`.' })),
    x: Type.Optional(text('A JSON pointer into a row of `series`: a number or a time.', '/at')),
    lines: Type.Optional(Type.Array(Column, { description: 'Those of `series`.' })),
  }),
);

const Page = named(
  'ConsolePage',
  Type.Object({
    plugin,
    id,
    title,
    icon: Type.Optional(
      Type.Enum([...page.icons], {
        description: 'The drawing beside the title.',
      }),
    ),
    kind: Type.Enum(['panels', 'module', 'frame'], { description: 'What it is made of.' }),
    panels: Type.Optional(Type.Array(Panel, { description: 'In their order.' })),
    file: Type.Optional(code.file),
    operations: Type.Optional(code.operations),
  }),
);

const View = named(
  'ConsoleView',
  Type.Object({
    name: text('The `kind` of the `x-view` that asks for it.', 'samples:decision-tree'),
    plugin,
    title,
    media_types: Type.Array(Type.String(), {
      description: 'Files of these types are shown with it, also without an `x-view`.',
      examples: [['chemical/x-pdb']],
    }),
    ...code,
  }),
);

export const PagesAnswer = Type.Object({
  plugins: Type.Array(Type.String(), {
    description: 'The ids of the plugins that are on.',
    examples: [['catalogue', 'invocation']],
  }),
  pages: Type.Array(Page, { description: 'Those that the caller finds in the menu.' }),
  views: Type.Array(View, { description: 'Ways to show results.' }),
});

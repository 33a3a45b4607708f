import type { TSchema } from 'typebox';
import type { PluginDefinition } from '../../core/kernel/plugin.ts';
import { inWords } from '../../core/config/words.ts';

const HEAD = `# Events

This page is made from the code. An event is a fact that a plugin tells after the commit, at most once and within its own
process; its payload is JSON. To hear one, name the plugin that tells it in \`requires\` or \`optional\`, and put a
\`listen\` into \`events.listens\` ([writing-a-plugin.md](writing-a-plugin.md)).`;

type Event = NonNullable<NonNullable<PluginDefinition['events']>['emits']>[number];

/** The text of `docs/events.md`: every event that one of the given plugins tells. */
export function renderEvents(plugins: readonly PluginDefinition[]): string {
  const events = plugins.flatMap((plugin) => plugin.events?.emits ?? []);
  return `${[HEAD, ...events.map(section)].join('\n\n')}\n`;
}

function section({ id, description, schema }: Event): string {
  const { properties = {} } = schema as { readonly properties?: Readonly<Record<string, TSchema>> };
  const rows = Object.entries(properties).map(([name, field]) => `| \`${name}\` | ${inWords(field)} |`);
  return [`## ${id}`, '', description, '', '| Payload | Type |', '|---|---|', ...rows].join('\n');
}

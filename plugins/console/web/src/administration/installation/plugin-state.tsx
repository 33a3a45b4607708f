import { adminText } from '../../texts/text.ts';
import type { Plugin } from '../queries.ts';

const TONES = { on: 'good', off: '', left_out: 'bad' } as const;

/** Whether a plugin is at work. */
export function PluginState({ plugin: { state } }: { readonly plugin: Plugin }) {
  return <span className={`badge dot ${TONES[state]}`}>{adminText.plugins.states[state]}</span>;
}

import { useMemo } from 'react';
import { CopyButton } from '../parts/copy-button.tsx';
import { JsonTree } from '../parts/json-tree.tsx';
import { text } from '../texts/text.ts';
import { usePluginViews } from '../pages/view-choice.ts';
import { download } from '../views/download.ts';
import { viewsFor } from '../views/choose.ts';
import { JsonText } from '../views/json-text.tsx';
import { Group, PartView } from '../views/part-view.tsx';
import { isObject } from './fields.ts';

/** How all of an output is shown: by what its parts are, as a tree, or as text. */
export const OUTPUT_VIEWS = ['preview', 'tree', 'raw'] as const;
export type OutputShape = (typeof OUTPUT_VIEWS)[number];

interface OutputProps {
  readonly output: unknown;
  readonly schema: unknown;
  /** What was sent: boxes are drawn over a picture of it. */
  readonly input?: Record<string, unknown> | null | undefined;
  readonly shape?: OutputShape;
}

/** What an algorithm answered. All of it is text, a drawing of our own, or markup in a frame where nothing can run. */
export function OutputView({ output, schema, input, shape = 'preview' }: OutputProps) {
  if (shape === 'preview') return <Preview output={output} schema={schema} input={input} />;
  return (
    <>
      <div className="row">
        <CopyButton value={() => JSON.stringify(output, null, 2)} />
        <button
          type="button"
          className="button small"
          onClick={() => download('output.json', JSON.stringify(output, null, 2), 'application/json')}
        >
          {text.results.download}
        </button>
      </div>
      {shape === 'tree' ? <JsonTree value={output} /> : <JsonText value={output} />}
    </>
  );
}

function Preview({ output, schema, input }: Omit<OutputProps, 'shape'>) {
  const kinds = useMemo(() => viewsFor(output, schema, false).map(({ kind }) => kind), [output, schema]);
  const own = usePluginViews()(output, schema);
  if (output === null || output === undefined) return <p className="quiet">{text.results.notKept}</p>;
  if (isObject(output) && Object.keys(output).length === 0) {
    return <p className="quiet">{text.playground.noOutput}</p>;
  }
  const isGroup = isObject(output) && !own && (kinds[0] === 'group' || kinds[0] === 'facts');
  if (isGroup) return <Group value={output} schema={schema} input={input} />;
  return <PartView name={text.playground.result} value={output} schema={schema} input={input} />;
}

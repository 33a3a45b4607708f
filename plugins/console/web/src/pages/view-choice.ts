import { isObject } from '../playground/fields.ts';
import { readFile } from '../views/files.ts';
import { usePageList, type PluginView } from './page-list.ts';

/** Finds the view of a plugin for a part of an output: the one that its `x-view` names, or one for its media type. */
export function usePluginViews(): (value: unknown, schema: unknown) => PluginView | undefined {
  const views = usePageList()?.views ?? [];
  return (value, schema) => {
    if (views.length === 0) return undefined;
    const wanted = isObject(schema) ? schema['x-view'] : undefined;
    const kind = isObject(wanted) ? wanted['kind'] : undefined;
    const named = views.find(({ name }) => name === kind);
    if (named) return named;
    const type = readFile(value, schema)?.type;
    return type === undefined ? undefined : views.find((view) => view.media_types.includes(type));
  };
}

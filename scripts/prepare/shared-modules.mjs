import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The packages of the console that pages of plugins may import, by these names and as the same instance. */
export const SHARED = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'].map(
  (name) => `shared:${name}`,
);

/**
 * Builds a module for each of them, which the browser loads when a page asks for it: they pass on what the console has
 * loaded anyway. The import map of the page says where they are.
 */
export const sharedModules = {
  name: 'shared-modules',
  resolveId: (id) => (SHARED.includes(id) ? `\0${id}` : undefined),
  load: (id) => (SHARED.includes(id.slice(1)) ? sourceOf(nameOf(id)) : undefined),
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const built = Object.values(bundle).filter(({ facadeModuleId }) =>
        SHARED.includes(facadeModuleId?.slice(1)),
      );
      const imports = Object.fromEntries(
        built.map(({ facadeModuleId, fileName }) => [nameOf(facadeModuleId), `./${fileName}`]),
      );
      return html.replace(
        '<script',
        `<script type="importmap">${JSON.stringify({ imports })}</script>\n    <script`,
      );
    },
  },
};

/** These packages are in CommonJS, whose names must be written out in a module. */
function sourceOf(name) {
  const names = Object.keys(require(name)).filter((each) => /^[a-z]\w*$/i.test(each) && each !== 'default');
  return `import all from '${name}'; export default all; export const { ${names.join(', ')} } = all;`;
}

function nameOf(id) {
  return id.slice(id.indexOf(':') + 1);
}

/**
 * Files of development dependencies that are published as they are: from → to, below `build` and `dist`. They are copied
 * so that an installation needs no package for them; `swagger-ui-dist` would bring another one that reports installations.
 * The last two are the notices that the first three ask to go with them.
 */
export const packagedAssets = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'swagger-ui-bundle.js.LICENSE.txt',
  'NOTICE',
].map((name) => ({
  from: `node_modules/swagger-ui-dist/${name}`,
  to: `plugins/reference/assets/${name}`,
}));

/** Scripts, styles and pictures from this server only, and no inline scripts: a description cannot run code. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page. `files` leads from its address to its files: `docs/` from `/docs`, and nothing from `/docs/`. A proxy may
 * serve the page below a prefix that this server never sees, so no link begins with a slash.
 */
export function pageHtml(files: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Vitrine API</title>
    <link rel="stylesheet" href="${files}swagger-ui.css">
    <link rel="icon" type="image/png" href="${files}favicon-32x32.png" sizes="32x32">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <noscript>These pages need JavaScript. The OpenAPI document itself does not.</noscript>
    <script src="${files}swagger-ui-bundle.js"></script>
    <script src="${files}answered-ids.js"></script>
    <script src="${files}start.js"></script>
  </body>
</html>
`;
}

/** Swagger UI's style knows a dark mode, which only its top bar would switch on; the page has none. */
const FOLLOW_PREFERENCE = `const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/**
 * A plugin of Swagger UI. For OpenAPI 3.1 its resolver reads the whole document anew for each operation that is opened,
 * which takes a second. The one for 3.0 resolves references within the document as well, in a tenth of that.
 */
const RESOLVE_FAST = `const resolveFast = {
  afterLoad: ({ fn }) => {
    const { resolveSubtree } = fn;
    fn.resolveSubtree = (document, ...more) => resolveSubtree({ ...document, openapi: '3.0.4' }, ...more);
  },
};
`;

/**
 * The script that shows a document in the page. `documentLink` leads from the script to the document. Nothing is fetched
 * from elsewhere, not even the validator's badge.
 */
export function startScript(documentLink: string): string {
  const options = {
    dom_id: '#swagger-ui',
    deepLinking: true,
    displayRequestDuration: true,
    filter: true,
    persistAuthorization: true,
    validatorUrl: null,
  };
  return `${FOLLOW_PREFERENCE}${RESOLVE_FAST}SwaggerUIBundle({
  url: new URL(${JSON.stringify(documentLink)}, document.currentScript.src).href,
  ...${JSON.stringify(options)},
  plugins: [answeredIds, resolveFast],
});
`;
}

import { createHash } from 'node:crypto';

/** Shows the page that the console sends in a frame within this one, where no script may run. */
const SCRIPT = `addEventListener('message', ({ source, data }) => {
  if (source !== parent) return;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', '');
  frame.title = data.title;
  frame.tabIndex = 0;
  frame.srcdoc = data.page;
  document.body.replaceChildren(frame);
});`;

/**
 * The document in which the console shows a page that an algorithm answered. What is written into a frame has the policy of
 * the document around it, and that of the console forbids the styles within a page.
 */
export const FRAME_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Page</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden; }</style>
<body><script>${SCRIPT}</script></body>
</html>`;

const digest = createHash('sha256').update(SCRIPT).digest('base64');

/** Styles of the page itself, pictures within it, and one script, which is ours. It has an origin of its own, opened alone as well. */
export const FRAME_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${digest}'`,
  "style-src 'self' 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts',
].join('; ');

/**
 * Markup that an algorithm made. The frame has an origin of its own and no right to anything: no scripts, no forms, no links
 * that lead elsewhere in the window; its policy forbids everything from another server.
 */
export function FrameView({ title, page }: { readonly title: string; readonly page: string }) {
  return <iframe className="frame" sandbox="" srcDoc={page} title={title} tabIndex={0} />;
}

const STYLES = new URL('../styles/frame.css', import.meta.url);

/** The frame has the policy of the console as well, which the browser passes on. */
const HEAD =
  '<!doctype html><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src ${STYLES.origin}">` +
  `<link rel="stylesheet" href="${STYLES.href}">`;

/** A picture that may hold scripts or links: drawn as an image, none of them is followed. */
export function picturePage(url: string, label: string): string {
  return `${HEAD}<img src="${attribute(url)}" alt="${attribute(label)}" width="100%">`;
}

function attribute(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/**
 * A page without what the policy of the frame would refuse anyway, so that the browser need not report it. What is left out
 * here is no matter of safety: the frame and the policy see to that.
 */
export function textPage(html: string): string {
  return HEAD + html.replaceAll(ELEMENTS, '').replaceAll(TAG, (tag) => tag.replaceAll(ATTRIBUTES, ''));
}

const ELEMENTS =
  /<!doctype[^<>]*>|<(script|style|iframe|object|noscript)\b[^]*?(?:<\/\1\s*>|$)|<(?:link|meta|base|embed)\b[^<>]*>/gi;
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const ATTRIBUTES =
  /(?<=[\s/"'])(?:style|on\w+|(?:src|srcset|poster|background|data)(?=\s*=\s*["']?(?!\s*data:)))\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;

import { useEffect, useRef } from 'react';

/**
 * Markup that an algorithm made. The frame has an origin of its own and no right to anything: no scripts, no forms, no links
 * that lead elsewhere in the window; its policy forbids everything from another server.
 */
export function FrameView({ title, page }: { readonly title: string; readonly page: string }) {
  return <iframe className="frame" sandbox="" srcDoc={page} title={title} tabIndex={0} />;
}

const FRAME = new URL('frame', document.baseURI).href;

/**
 * The same with the styles of the markup, which the policy of the console would forbid: the markup is in a frame of that kind
 * within a frame of the service, which has a policy of its own and runs nothing but what puts the markup there.
 */
export function StyledFrameView({ title, page }: { readonly title: string; readonly page: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isLoaded = useRef(false);
  const send = (): void => frame.current?.contentWindow?.postMessage({ title, page }, '*');
  useEffect(() => {
    if (isLoaded.current) send();
    // oxlint-disable-next-line react/exhaustive-deps -- `send` reads these two alone
  }, [title, page]);
  return (
    <iframe
      ref={frame}
      className="frame"
      sandbox="allow-scripts"
      src={FRAME}
      title={title}
      onLoad={() => {
        isLoaded.current = true;
        send();
      }}
    />
  );
}

const STYLES = new URL('../styles/frame.css', import.meta.url);

/** The frame has the policy of the console as well, which the browser passes on. */
const HEAD =
  '<!doctype html><meta charset="utf-8">' +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline' ${STYLES.origin}">` +
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
  return (
    HEAD +
    html
      .replaceAll(ELEMENTS, '')
      .replaceAll(STYLE, withoutAddresses)
      .replaceAll(TAG, (tag) => withoutAddresses(tag.replaceAll(ATTRIBUTES, '')))
  );
}

/** Styles without what they would load from elsewhere. */
function withoutAddresses(styles: string): string {
  return styles.replaceAll(LOADED, (found) => (found.startsWith('@') ? '' : 'none'));
}

const ELEMENTS =
  /<!doctype[^<>]*>|<(script|iframe|object|noscript)\b[^]*?(?:<\/\1\s*>|$)|<(?:link|meta|base|embed)\b[^<>]*>/gi;
const STYLE = /<style\b[^]*?(?:<\/style\s*>|$)/gi;
const LOADED = /@import\b[^;]*;?|url\(\s*(?!["']?data:)(?:"[^"]*"|'[^']*'|[^"')]*)\s*\)/gi;
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const ATTRIBUTES =
  /(?<=[\s/"'])(?:on\w+|(?:src|srcset|poster|background|data)(?=\s*=\s*["']?(?!\s*data:)))\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi;

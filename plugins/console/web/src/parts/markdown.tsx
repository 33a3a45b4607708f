import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { safeAddress } from './safe-address.ts';

/** Markup stays text, and nesting is bounded, so that no document takes long to read. */
const reader = new MarkdownIt({ html: false, linkify: true });

/** The elements that a document may have, by the names that the reader gives them. */
const ELEMENTS = new Set('p ul li blockquote thead tbody tr td strong em s'.split(' '));

/**
 * A document in Markdown. It becomes elements of ours and never markup; pictures become links, so that
 * reading it asks no other server for anything. `below` is the level of the heading above it.
 */
export default function Markdown({ source, below }: { readonly source: string; readonly below: number }) {
  const content = useMemo(() => elementsOf(reader.parse(source, {}), { below, above: [] }), [source, below]);
  return <div className="markdown">{content}</div>;
}

interface Headings {
  readonly below: number;
  /** The levels in the source of the headings that the place is under. */
  above: readonly number[];
}

interface Open {
  readonly token: Token | undefined;
  readonly children: ReactNode[];
}

function elementsOf(tokens: readonly Token[], headings: Headings): ReactNode[] {
  const root: Open = { token: undefined, children: [] };
  const open = [root];
  for (const [key, token] of tokens.entries()) {
    const inner = open.at(-1)!;
    if (token.nesting === 1) {
      open.push({ token, children: [] });
    } else if (token.nesting === -1) {
      open.pop();
      open.at(-1)?.children.push(<Fragment key={key}>{elementOf(inner, headings)}</Fragment>);
    } else {
      const isInLink = open.some((each) => each.token?.tag === 'a');
      inner.children.push(<Fragment key={key}>{leafOf(token, headings, isInLink)}</Fragment>);
    }
  }
  return root.children;
}

function elementOf({ token, children }: Open, headings: Headings): ReactNode {
  const { tag, hidden } = token!;
  if (hidden) return children;
  if (/^h[1-6]$/.test(tag)) {
    const level = Number(tag[1]);
    headings.above = [...headings.above.filter((each) => each < level), level];
    // No level is skipped, whatever the source does, and headings of one level look alike.
    return createElement(`h${Math.min(headings.below + headings.above.length, 6)}`, null, ...children);
  }
  if (tag === 'a') return <SafeLink address={attribute(token!, 'href')}>{children}</SafeLink>;
  if (tag === 'ol') return <ol start={Number(attribute(token!, 'start') || 1)}>{children}</ol>;
  if (tag === 'table') {
    return (
      <div className="table-scroll" tabIndex={0}>
        <table>{children}</table>
      </div>
    );
  }
  // A head without words is no head to those who listen.
  if (tag === 'th') return children.length > 0 ? <th>{children}</th> : <td />;
  return ELEMENTS.has(tag) ? createElement(tag, null, ...children) : children;
}

function leafOf(token: Token, headings: Headings, isInLink: boolean): ReactNode {
  switch (token.type) {
    case 'inline':
      return elementsOf(token.children ?? [], headings);
    case 'code_inline':
      return <code>{token.content}</code>;
    case 'fence':
    case 'code_block':
      return (
        <pre className="code" tabIndex={0}>
          <code>{token.content}</code>
        </pre>
      );
    case 'image':
      return isInLink ? (
        token.content
      ) : (
        <SafeLink address={attribute(token, 'src')}>{token.content}</SafeLink>
      );
    case 'hardbreak':
      return <br />;
    case 'softbreak':
      return '\n';
    case 'hr':
      return <hr />;
    default:
      return token.content;
  }
}

function SafeLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const href = safeAddress(address);
  const isEmpty = children === '' || (Array.isArray(children) && children.length === 0);
  const content = isEmpty ? address.slice(0, 200) : children;
  if (href === undefined) return content;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {content}
    </a>
  );
}

function attribute(token: Token, name: string): string {
  return String(token.attrGet(name) ?? '');
}

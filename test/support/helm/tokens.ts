/** A piece of a template: text, or what stands between `{{` and `}}`, without trim markers. */
export type Piece =
  { readonly kind: 'text'; readonly text: string } | { readonly kind: 'action'; readonly text: string };

const ACTION = /\{\{(-[ \t\r\n])?(.*?)([ \t\r\n]-)?\}\}/gs;
const COMMENT = /^\/\*.*\*\/$/s;

/** Splits a template and applies the trim markers, as Go's text/template does; comments are dropped. */
export function pieces(template: string): readonly Piece[] {
  const found: Piece[] = [];
  let end = 0;
  let trimNext = false;
  const addText = (upTo: number, trimEnd: boolean): void => {
    let text = template.slice(end, upTo);
    if (trimNext) text = text.replace(/^[ \t\r\n]+/, '');
    if (trimEnd) text = text.replace(/[ \t\r\n]+$/, '');
    if (text !== '') found.push({ kind: 'text', text });
  };
  for (const match of template.matchAll(ACTION)) {
    const [whole, trimBefore, inside = '', trimAfter] = match;
    addText(match.index, trimBefore !== undefined);
    end = match.index + whole.length;
    trimNext = trimAfter !== undefined;
    const text = inside.trim();
    if (text.includes('{{')) throw new Error(`An action is not closed: "${text.slice(0, 60)}".`);
    if (!COMMENT.test(text)) found.push({ kind: 'action', text });
  }
  addText(template.length, false);
  const rest = template.slice(end);
  if (rest.includes('{{') || rest.includes('}}')) throw new Error('An action is not closed.');
  return found;
}

const WORD = /\s*("(?:[^"\\]|\\["\\])*"|:=|[()|]|[^\s()|"]+)/y;

/** The words of an action; a text in quotes is one, and keeps them. */
export function words(action: string): readonly string[] {
  const found: string[] = [];
  WORD.lastIndex = 0;
  while (WORD.lastIndex < action.length) {
    const match = WORD.exec(action);
    if (!match) throw new Error(`"${action}" has something in it that is not understood here.`);
    found.push(match[1]!);
  }
  return found;
}

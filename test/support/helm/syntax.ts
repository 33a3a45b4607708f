import { pieces, words, type Piece } from './tokens.ts';

/** What has a value. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean }
  /** `.Values.image` is from the dot, `$.Values.image` from the root. */
  | { readonly kind: 'path'; readonly from: 'dot' | 'root'; readonly names: readonly string[] }
  | { readonly kind: 'call'; readonly name: string; readonly given: readonly Expression[] };

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'output'; readonly value: Expression }
  | { readonly kind: 'if'; readonly branches: readonly Branch[] }
  | { readonly kind: 'with' | 'range'; readonly value: Expression; readonly body: readonly Node[] };

/** Without a condition: `else`. */
export interface Branch {
  readonly condition: Expression | undefined;
  readonly body: readonly Node[];
}

export interface Template {
  readonly body: readonly Node[];
  /** By the names of `define`. */
  readonly defined: ReadonlyMap<string, readonly Node[]>;
}

/** Reads a template of the subset that is known here; throws on everything else. */
export function parseTemplate(text: string): Template {
  const parser = new Parser(pieces(text));
  const body = parser.body();
  parser.expectEnd();
  return { body, defined: parser.defined };
}

class Parser {
  readonly defined = new Map<string, readonly Node[]>();
  readonly #pieces: readonly Piece[];
  #next = 0;

  constructor(all: readonly Piece[]) {
    this.#pieces = all;
  }

  expectEnd(): void {
    const left = this.#pieces[this.#next];
    if (left) throw new Error(`"${left.text}" ends something that never began.`);
  }

  /** Up to `else`, `end` or the end of the file. */
  body(): readonly Node[] {
    const nodes: Node[] = [];
    for (let piece = this.#pieces[this.#next]; piece; piece = this.#pieces[this.#next]) {
      if (piece.kind === 'action' && /^(else|end)\b/.test(piece.text)) break;
      this.#next += 1;
      if (piece.kind === 'text') nodes.push(piece);
      else nodes.push(...this.#action(piece.text));
    }
    return nodes;
  }

  #action(text: string): readonly Node[] {
    const [first = '', ...rest] = words(text);
    switch (first) {
      case 'if':
        return [{ kind: 'if', branches: this.#branches(rest) }];
      case 'with':
      case 'range': {
        const node = { kind: first, value: expression(rest), body: this.body() } as const;
        this.#end();
        return [node];
      }
      case 'define': {
        const [name, ...more] = rest;
        if (!name?.startsWith('"') || more.length > 0) throw new Error(`"${text}" names no template.`);
        this.defined.set(unquoted(name), this.body());
        this.#end();
        return [];
      }
      default:
        return [{ kind: 'output', value: expression(words(text)) }];
    }
  }

  #branches(condition: readonly string[]): readonly Branch[] {
    const branches: Branch[] = [{ condition: expression(condition), body: this.body() }];
    for (
      let [first, second, ...rest] = this.#closing();
      first === 'else';
      [first, second, ...rest] = this.#closing()
    ) {
      if (second !== undefined && second !== 'if') throw new Error(`"else ${second}" is not known here.`);
      branches.push({ condition: second ? expression(rest) : undefined, body: this.body() });
    }
    return branches;
  }

  #end(): void {
    const closing = this.#closing();
    if (closing.join(' ') !== 'end') throw new Error(`Expected "end", and found "${closing.join(' ')}".`);
  }

  #closing(): readonly string[] {
    const piece = this.#pieces[this.#next];
    if (!piece) throw new Error('An "end" is missing.');
    this.#next += 1;
    return words(piece.text);
  }
}

/** A pipeline: each command is the last argument of the next. */
function expression(given: readonly string[]): Expression {
  const reader = new ExpressionReader(given);
  const value = reader.pipeline();
  reader.expectEnd();
  return value;
}

class ExpressionReader {
  readonly #words: readonly string[];
  #next = 0;

  constructor(all: readonly string[]) {
    this.#words = all;
  }

  expectEnd(): void {
    if (this.#next < this.#words.length) throw new Error(`"${this.#words.join(' ')}" has too many words.`);
  }

  pipeline(): Expression {
    let value = this.#command(undefined);
    while (this.#words[this.#next] === '|') {
      this.#next += 1;
      value = this.#command(value);
    }
    return value;
  }

  #command(piped: Expression | undefined): Expression {
    const first = this.#words[this.#next];
    if (first === undefined) throw new Error(`"${this.#words.join(' ')}" breaks off.`);
    if (!/^[a-zA-Z]\w*$/.test(first) || first === 'true' || first === 'false') {
      const value = this.#operand();
      if (piped) throw new Error(`"${first}" is no function, so nothing can be piped into it.`);
      return value;
    }
    this.#next += 1;
    const given: Expression[] = [];
    for (let word = this.#words[this.#next]; word !== undefined && word !== '|' && word !== ')';) {
      given.push(this.#operand());
      word = this.#words[this.#next];
    }
    return { kind: 'call', name: first, given: piped ? [...given, piped] : given };
  }

  #operand(): Expression {
    const word = this.#words[this.#next]!;
    this.#next += 1;
    if (word === '(') {
      const inner = this.pipeline();
      if (this.#words[this.#next] !== ')') throw new Error(`"${this.#words.join(' ')}" lacks a ")".`);
      this.#next += 1;
      return inner;
    }
    return operand(word);
  }
}

function operand(word: string): Expression {
  if (word.startsWith('"')) return { kind: 'literal', value: unquoted(word) };
  if (/^\d+$/.test(word)) return { kind: 'literal', value: Number(word) };
  if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
  const path = /^(\$?)(\.|(?:\.[A-Za-z]\w*)*)$/.exec(word);
  if (!path || word === '') throw new Error(`"${word}" is not known here.`);
  const names = word.split('.').slice(1).filter(Boolean);
  if (path[1] && path[2] === '.') throw new Error(`"${word}" is not known here.`);
  return { kind: 'path', from: path[1] ? 'root' : 'dot', names };
}

function unquoted(word: string): string {
  return word.slice(1, -1).replace(/\\(["\\])/g, '$1');
}

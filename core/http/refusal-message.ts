import type { Problem } from '../errors/problem.ts';
import { problemAnswer } from './problem-document.ts';
import { messageOf } from './sending.ts';

/** Stand where a message has what differs from request to request; both are the same as JSON. */
const ID = '@id@';
const PATH = '@path@';
const PIECES = new RegExp(`^(.*)${ID}(.*Content-Length: )\\d+(\\r\\n\\r\\n.*)"${PATH}"(.*)${ID}(.*)$`, 's');

/** The bytes of one problem as an answer, of which all that is the same for every request is written once. */
export class RefusalMessage {
  readonly #pieces: readonly [head: string, endOfHead: string, body: string, afterPath: string, end: string];
  readonly #length: number;

  constructor(problem: Problem) {
    const message = messageOf(problemAnswer(problem, ID, PATH), { requestId: ID, isLast: false });
    const [, ...pieces] = PIECES.exec(message)!;
    this.#pieces = pieces as [string, string, string, string, string];
    this.#length = Buffer.byteLength(pieces.slice(2).join('')) - '\r\n\r\n'.length;
  }

  /** The message for a request. Path and id are ASCII; so is what a problem says. */
  for(requestId: string, path: string): string {
    const [head, endOfHead, body, afterPath, end] = this.#pieces;
    const instance = JSON.stringify(path);
    const length = this.#length + instance.length + requestId.length;
    return head + requestId + endOfHead + length + body + instance + afterPath + requestId + end;
  }
}

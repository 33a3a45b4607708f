/** A request that came whole in one piece and asks nothing of the connection. */
export interface PlainRequest {
  readonly path: string;
  /** The client's own id for it, as sent. */
  readonly requestId: string | undefined;
}

const END_OF_HEAD = '\r\n\r\n';
const HEAD =
  /^(?:GET|POST|PUT|PATCH|DELETE) (\/[!-~]*) HTTP\/1\.1\r\n(?:[\w!#-'*+.^`|~-]+:[\t -~]*\r\n)+\r\n$/;
/** The fields that say where a request ends, what becomes of the connection, and who asks. */
const TELLING =
  /\r\n(host|content-length|x-request-id|connection|transfer-encoding|expect|upgrade|origin):[\t ]*([\t -~]*)/gi;
const LENGTH = /^\d{1,9}$/;

/**
 * Reads a piece of what a client sent as one request, or answers undefined wherever Node's own parser might see
 * anything else in it: an incomplete or a second request, another version, no host, a length that is told twice or
 * not as a number, a transfer coding, any byte of the head that is not printable ASCII.
 */
export function readPlainRequest(piece: Buffer): PlainRequest | undefined {
  const end = piece.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const bodyAt = end + END_OF_HEAD.length;
  const head = piece.toString('latin1', 0, bodyAt);
  const path = HEAD.exec(head)?.[1];
  const told = path === undefined ? undefined : readFields(head);
  if (!told || bodyAt + told.length !== piece.length) return undefined;
  return { path: path!, requestId: told.requestId };
}

function readFields(head: string): { length: number; requestId: string | undefined } | undefined {
  let host: string | undefined;
  let length: string | undefined;
  let requestId: string | undefined;
  TELLING.lastIndex = 0;
  for (let field = TELLING.exec(head); field; field = TELLING.exec(head)) {
    const [, name, value] = field;
    switch (name!.toLowerCase()) {
      case 'host':
        if (host !== undefined) return undefined;
        host = value;
        break;
      case 'content-length':
        if (length !== undefined || !LENGTH.test(value!)) return undefined;
        length = value;
        break;
      case 'x-request-id':
        if (requestId !== undefined) return undefined;
        requestId = value;
        break;
      case 'connection':
        if (value!.toLowerCase() !== 'keep-alive') return undefined;
        break;
      default:
        return undefined;
    }
  }
  return host === undefined ? undefined : { length: Number(length ?? 0), requestId };
}

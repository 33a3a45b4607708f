import { createHash } from 'node:crypto';

/** Content that many clients share, serialised once, with the entity tag for conditional requests. */
export interface TaggedBytes {
  readonly bytes: Buffer;
  /** A strong tag in quotes, derived from the bytes. */
  readonly etag: string;
  /** How many entries a list has on all pages, where the content is one. */
  readonly total?: number | undefined;
}

/** The headers that an answer with tagged bytes has, for the OpenAPI document. */
export const TAG_HEADERS = {
  ETag: 'Sent back as `If-None-Match`, it is answered with 304 and no content for as long as nothing changes.',
};

/** Content with its tag, for `replyBytes`; the server answers 304 to clients that have it already. */
export function tagBytes(
  content: Buffer | string,
  { total }: { total?: number | undefined } = {},
): TaggedBytes {
  const bytes = Buffer.from(content);
  return { total, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}

import { createHash } from 'node:crypto';

/** Content that is the same for many, serialised once, with the tag by which clients ask for it again. */
export interface TaggedBytes {
  readonly bytes: Buffer;
  /** Strong, in quotes, made from the bytes. */
  readonly etag: string;
}

/** What routes that answer tagged bytes say of their `headers`. */
export const TAG_HEADERS = {
  ETag: 'Sent back as `If-None-Match`, it is answered with 304 and no content for as long as nothing changes.',
};

/** Content with its tag, for `replyBytes`; the server answers 304 to clients that have it already. */
export function tagBytes(content: Buffer | string): TaggedBytes {
  const bytes = Buffer.from(content);
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` };
}

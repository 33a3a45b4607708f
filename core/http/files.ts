import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import koaBody from 'koa-body';
import { MalformedForm, PayloadTooLarge, UnsupportedMediaType } from '../errors/core-problems.ts';
import { isTooLarge, withBody, type BodyLimits, type ReadBody } from './body.ts';
import type { FileLimits, UploadedFile } from './routing/route.ts';
import { isClosed, type RequestState, type StepContext } from './state.ts';

/** Upper bound of the text fields in one form. */
const MOST_FIELDS = 100;

/** Makes the reader for the forms of one operation; the uploaded files are in `ctx.state.form` until `removeFiles`. */
export function formBody({ maxCount, maxBytes }: FileLimits, { bodyLimit }: BodyLimits): ReadBody {
  return async (ctx) => {
    const { request, state } = ctx;
    if (!ctx.is('multipart/form-data')) {
      throw UnsupportedMediaType('The operation takes files. Send multipart/form-data.');
    }
    // A directory for each request, so that partly written files are removed with it when the request fails.
    const directory = await mkdtemp(join(tmpdir(), 'vitrine-form-'));
    state.form = { directory, files: [] };
    const read = koaBody({
      ...withBody,
      multipart: true,
      formidable: {
        uploadDir: directory,
        maxFiles: maxCount,
        maxFileSize: maxBytes,
        maxTotalFileSize: maxCount * maxBytes,
        maxFields: MOST_FIELDS,
        maxFieldsSize: bodyLimit,
        allowEmptyFiles: true,
        minFileSize: 0,
      },
    });
    const { closed, forget } = disconnected(ctx);
    try {
      await Promise.race([read(ctx, async () => undefined), closed]);
    } catch (error) {
      throw isClosed(ctx) ? error : formProblem(error, maxCount, maxBytes);
    } finally {
      forget();
    }
    state.form = { directory, files: filesIn(request.files ?? {}) };
    return request.body;
  };
}

/** Removes the uploaded files of a request. */
export async function removeFiles({ form }: RequestState): Promise<void> {
  if (form) await rm(form.directory, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * `closed` rejects when the client disconnects, until `forget`: formidable misses a disconnect that happened before it
 * started. The connection may carry further forms.
 */
function disconnected({ req }: StepContext): {
  readonly closed: Promise<never>;
  readonly forget: () => void;
} {
  let end = (): void => undefined;
  const closed = new Promise<never>((_, reject) => {
    end = () => reject(new Error('The client closed the connection.'));
    if (req.destroyed) end();
    else req.socket.once('close', end);
  });
  return { closed, forget: () => req.socket.off('close', end) };
}

/** The files in `request.files` of koa-body, by field name. */
type FormFiles = NonNullable<StepContext['request']['files']>;

function filesIn(byField: FormFiles): UploadedFile[] {
  return Object.entries(byField).flatMap(([field, files]) =>
    [files].flat().map(({ originalFilename, mimetype, size, filepath }) => ({
      field,
      name: originalFilename ?? '',
      contentType: mimetype ?? 'application/octet-stream',
      size,
      path: filepath,
    })),
  );
}

function formProblem(error: unknown, maxCount: number, maxBytes: number): unknown {
  if (isTooLarge(error)) {
    return PayloadTooLarge(
      `The form exceeds the limits of this operation: ${maxCount} files of ${maxBytes} bytes each.`,
    );
  }
  const { httpCode } = error as { httpCode?: unknown };
  return httpCode === 400 ? MalformedForm('The form cannot be read: its parts are incomplete.') : error;
}

import { addAbortSignal, type Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { authenticate } from '../../auth/authenticate.ts';
import { authorise } from '../../auth/authorise.ts';
import type { PermissionDecider } from '../../auth/permission.ts';
import { anonymous } from '../../auth/principal.ts';
import type { CredentialVerifier } from '../../auth/verifier.ts';
import type { Bulkhead } from '../../support/bulkhead.ts';
import { removeFiles } from '../files.ts';
import { listHeaders, nextCursorOf, totalOf } from '../lists.ts';
import type { ReadBody } from '../body.ts';
import type { StepContext } from '../state.ts';
import type { Operation } from './operation.ts';
import { reply, Reply } from './route.ts';

/** Longer texts are sent as bytes, because Node would keep both the text and its bytes until the client has read them. */
const LONG_TEXT = 65_536;

export interface ServingParts {
  readonly verifiers: readonly CredentialVerifier[];
  readonly deciders: readonly PermissionDecider[];
  readonly admission: Bulkhead;
  /** The address under which clients reach the server, without a path of the API; empty when it is not known. */
  readonly publicAddress: string;
}

type RouteContext = StepContext & { readonly params: Readonly<Record<string, string>> };

/** Serves one operation: authenticate → authorise → body → validate → handle → serialise. */
export function serveOperation(
  operation: Operation,
  parts: ServingParts,
): (ctx: RouteContext) => Promise<void> {
  return async (ctx) => {
    const { state, params: path } = ctx;
    const { readBody: read, refuseFixed } = operation;
    state.operation = operation;
    await admitUser(ctx, operation, parts);
    // After one turn of the event loop a short body has arrived; without it, every request with a body would count as slow and
    // be authenticated twice. It also lets requests that arrive together be admitted one after the other, which is faster.
    await nextTurn();
    try {
      const query = operation.readQuery(ctx.querystring);
      const sent = read && (await readBody(read, ctx, operation, parts));
      const body = operation.checkBody?.(sent);
      const { request, user: principal = anonymous, form } = state;
      const files = form?.files ?? [];
      const admitAgain = async () => {
        await admitUser(ctx, operation, parts);
        return state.user ?? anonymous;
      };
      const input = { path, query, body, files, principal, request, admitAgain };
      if (refuseFixed) await refuseFixed(sent, input);
      const result = await operation.handle(input);
      const answered = result instanceof Reply ? result : reply(result);
      if (operation.isList) describeList(ctx, query, answered, parts);
      answer(ctx, answered, operation);
    } finally {
      if (state.form) await removeFiles(state);
    }
  };
}

/** Authenticates and authorises the request. Throws when the credentials are invalid or the user lacks the right. */
async function admitUser(
  { state, params }: RouteContext,
  operation: Operation,
  { verifiers, deciders }: ServingParts,
): Promise<void> {
  if (operation.access === 'anonymous') return;
  const principal = await authenticate(verifiers, state.request, operation.access);
  if (principal.kind === 'user') state.user = principal;
  else delete state.user;
  await authorise(operation, principal, params, deciders);
}

async function readBody(
  read: ReadBody,
  ctx: RouteContext,
  operation: Operation,
  parts: ServingParts,
): Promise<unknown> {
  if (ctx.req.complete) return read(ctx);
  // A slow sender must not occupy a slot of admission.
  const body = await (operation.probe ? read(ctx) : parts.admission.outside(() => read(ctx)));
  // The user may have lost the right while the body arrived.
  await admitUser(ctx, operation, parts);
  return body;
}

function describeList(
  ctx: StepContext,
  query: unknown,
  answer: Reply,
  { publicAddress }: ServingParts,
): void {
  const { value, total = totalOf(value, query), nextCursor = nextCursorOf(value) } = answer;
  if (total === undefined) return;
  const address = publicAddress + ctx.path;
  ctx.set(listHeaders({ address, querystring: ctx.querystring, query }, total, nextCursor));
}

function answer(ctx: StepContext, { status, headers, value, bytes }: Reply, operation: Operation): void {
  ctx.status = status;
  ctx.set('Content-Type', operation.contentType);
  ctx.body = bytes === undefined ? serialised(value, operation) : prepared(ctx, bytes);
  ctx.set(headers);
  // A shared cache must never store an answer to an authenticated user, whatever headers the handler sets.
  if (ctx.state.user) ctx.set('Cache-Control', 'no-store');
}

function serialised(value: unknown, { operationId, serialize }: Operation): string | Buffer {
  if (!serialize) throw new Error(`${operationId} answers a value, but declares raw content.`);
  const text = serialize(value);
  return text.length > LONG_TEXT ? Buffer.from(text) : text;
}

function prepared(ctx: StepContext, bytes: string | Buffer | Readable): string | Buffer | Readable {
  if (typeof bytes === 'string' || Buffer.isBuffer(bytes)) return bytes;
  const { signal } = ctx.state.request;
  // Koa reports the error as well, but only when it has closed the connection, as if the client had left.
  bytes.on('error', (error) => {
    if (!signal.aborted) ctx.app.emit('error', error, ctx);
  });
  // Node does not notify an answer that is queued behind another one when their connection closes.
  return addAbortSignal(signal, bytes);
}

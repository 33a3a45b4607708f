import Type from 'typebox';
import { rawContent, replyBytes, routesWith, type Route } from '../../../core/http/routing/route.ts';
import { jsonObject, named, nullable, PagingQuery } from '../../../core/http/validation/schemas.ts';

const route = routesWith({});

export const Thing = named(
  'Thing',
  Type.Object({
    id: Type.String(),
    name: Type.String({ minLength: 1 }),
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    note: Type.Optional(nullable(Type.String())),
    extra: Type.Optional(jsonObject()),
  }),
);

const NewThing = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 20, pattern: '\\S' }),
  count: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
  kind: Type.Optional(Type.Union([Type.Literal('small'), Type.Literal('large')])),
  extra: Type.Optional(jsonObject()),
});

/** A small API with one route of each kind. */
export const things: readonly Route[] = [
  route({
    method: 'GET',
    path: '/things',
    operationId: 'listThings',
    summary: 'Lists things',
    access: 'public',
    query: PagingQuery({ kind: Type.Optional(Type.String()), deep: Type.Optional(Type.Boolean()) }),
    answers: jsonObject(),
    handle: ({ query }) => ({ ...query }),
  }),
  route({
    method: 'POST',
    path: '/things',
    operationId: 'createThing',
    summary: 'Creates a thing',
    access: 'public',
    body: NewThing,
    answers: jsonObject(),
    handle: ({ body }) => ({ ...body }),
  }),
  route({
    method: 'POST',
    path: '/things/call',
    operationId: 'callThing',
    summary: 'Calls a thing',
    access: 'public',
    body: Type.Object({ input: jsonObject() }),
    bodyLimit: 'large',
    answers: jsonObject(),
    handle: ({ body }) => body.input,
  }),
  route({
    method: 'GET',
    path: '/things/{thing_id}',
    operationId: 'getThing',
    summary: 'Shows a thing',
    access: 'public',
    answers: Thing,
    handle: ({ path }) => ({ id: path.thing_id, name: 'thing', secret: 'hidden' }),
  }),
  route({
    method: 'GET',
    path: '/things/calls/{call_id}',
    operationId: 'getThingCall',
    summary: 'Shows a call',
    access: 'public',
    answers: jsonObject(),
    handle: ({ path }) => ({ call: path.call_id }),
  }),
];

export const MIB = 1024 * 1024;

const blank = (operationId: string, bytes: number) =>
  route({
    method: 'GET',
    path: `/${operationId}`,
    operationId,
    summary: 'Answers zeros',
    access: 'public',
    answers: rawContent('application/octet-stream'),
    handle: () => replyBytes(Buffer.alloc(bytes)),
  });

/** More than the kernel buffers. */
export const huge = blank('huge', 32 * MIB);
export const large = blank('large', 16 * MIB);

import { expect } from 'chai';
import Type from 'typebox';
import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';
import { startServer, type TestServer } from './support.ts';

const stored = { id: '7', name: 'thing', tags: ['a', 'b'], secret: undefined };
let changes = 0;

const change = routesWith({})({
  method: 'PATCH',
  path: '/things/{thing_id}',
  operationId: 'changeThing',
  summary: 'Changes a thing',
  access: 'public',
  body: Type.Object({ name: Type.Optional(Type.String()) }),
  answers: jsonObject(),
  fixed: ({ path }) => ({ ...stored, id: path.thing_id }),
  handle: () => {
    changes += 1;
    return {};
  },
});

describe('a field that an operation cannot change', () => {
  let server: TestServer;
  before(async () => (server = await startServer([change])));
  after(() => server.close());

  const send = (json: object) => server.request('PATCH', '/things/7', { json });

  for (const body of [
    { name: 'other' },
    { id: '7', tags: ['a', 'b'], name: 'other' },
    { id: null, tags: null, secret: null },
    { unknown: 1, __typename: 'Thing' },
  ]) {
    it(`may be sent as it is: ${JSON.stringify(body)}`, async () => {
      expect((await send(body)).status).to.equal(200);
    });
  }

  for (const [field, value] of [
    ['id', '8'],
    ['id', 7],
    ['tags', ['b', 'a']],
    ['secret', 'anything'],
  ] as const) {
    it(`is refused with another value before anything changes: ${field} ${JSON.stringify(value)}`, async () => {
      const before = changes;
      const { status, body } = await send({ name: 'other', [field]: value });
      expect([status, body.errors, changes]).to.deep.equal([
        422,
        [
          {
            pointer: `/body/${field}`,
            message: 'cannot be changed here. Leave it out, or send it as it is.',
          },
        ],
        before,
      ]);
    });
  }

  it('is named together with each other one', async () => {
    const { body } = await send({ id: '8', tags: [] });
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/body/id',
      '/body/tags',
    ]);
  });
});

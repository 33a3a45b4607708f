import { expect } from 'chai';
import Type from 'typebox';
import { listHeaders } from '../../../core/http/lists.ts';
import { replyBytes, reply, routesWith } from '../../../core/http/routing/route.ts';
import { PagingQuery } from '../../../core/http/validation/schemas.ts';
import { startServer, type TestServer } from './support.ts';

const TOTAL = 25;
const common = { method: 'GET', summary: 'Lists', access: 'public' } as const;
const query = PagingQuery({
  kind: Type.Optional(Type.String()),
  all: Type.Optional(Type.Boolean()),
  cursor: Type.Optional(Type.String()),
});
const CursorPage = Type.Object({
  things: Type.Array(Type.Integer()),
  total: Type.Integer(),
  next_cursor: Type.Union([Type.String(), Type.Null()]),
});
const Page = Type.Object({ things: Type.Array(Type.Integer()), total: Type.Integer() });

const route = routesWith({});
const routes = [
  route({
    ...common,
    path: '/pages',
    operationId: 'pages',
    query,
    answers: Page,
    handle: () => ({ things: [], total: TOTAL }),
  }),
  route({
    ...common,
    path: '/cursors',
    operationId: 'cursors',
    query,
    answers: CursorPage,
    handle: ({ query: { cursor } }) => ({
      things: [],
      total: TOTAL,
      next_cursor: cursor === 'end' ? null : 'b',
    }),
  }),
  route({
    ...common,
    path: '/cursor-bytes',
    operationId: 'cursorBytes',
    query,
    answers: CursorPage,
    handle: () =>
      replyBytes(`{"things":[],"total":${TOTAL},"next_cursor":"b"}`, { total: TOTAL, nextCursor: 'b' }),
  }),
  route({
    ...common,
    path: '/bytes',
    operationId: 'bytes',
    query,
    answers: Page,
    handle: () => replyBytes(`{"things":[],"total":${TOTAL}}`, { total: TOTAL }),
  }),
  route({
    ...common,
    path: '/arrays',
    operationId: 'arrays',
    query,
    answers: Type.Array(Type.Integer()),
    handle: () => reply([1, 2], { total: TOTAL }),
  }),
  route({
    ...common,
    path: '/whole',
    operationId: 'whole',
    answers: Type.Array(Type.Integer()),
    handle: () => [1, 2, 3],
  }),
  route({
    ...common,
    path: '/one',
    operationId: 'one',
    answers: Type.Object({ name: Type.String() }),
    handle: () => ({ name: 'one' }),
  }),
];

/** The relations of a `Link` header. */
function linksIn(header: string | null): Record<string, string> {
  return Object.fromEntries(
    [...(header ?? '').matchAll(/<([^>]*)>; rel="(\w+)"/g)].map(([, target, relation]) => [relation, target]),
  );
}

describe('a list', () => {
  let server: TestServer;
  before(async () => (server = await startServer(routes)));
  after(() => server.close());

  const ask = async (path: string) => {
    const { headers } = await server.request('GET', path);
    return { total: headers.get('x-total-count'), links: linksIn(headers.get('link')) };
  };
  const at = (skip: number, more = '') => `/api/v1/pages?${more}skip=${skip}&limit=10`;

  for (const path of ['/pages', '/bytes', '/arrays']) {
    it(`says how many entries there are on all pages: ${path}`, async () => {
      expect((await ask(path)).total).to.equal(String(TOTAL));
    });
  }

  for (const [asked, links] of [
    ['/pages?limit=10', { first: at(0), next: at(10), last: at(20) }],
    ['/pages?skip=10&limit=10', { first: at(0), prev: at(0), next: at(20), last: at(20) }],
    ['/pages?skip=20&limit=10', { first: at(0), prev: at(10), last: at(20) }],
    ['/pages?skip=15&limit=10', { first: at(0), prev: at(5), last: at(20) }],
    ['/pages?skip=5&limit=10', { first: at(0), prev: at(0), next: at(15), last: at(20) }],
    ['/pages?skip=900&limit=10', { first: at(0), prev: at(20), last: at(20) }],
    [
      '/pages?kind=a%20b%3E&limit=10',
      { first: at(0, 'kind=a%20b%3E&'), next: at(10, 'kind=a%20b%3E&'), last: at(20, 'kind=a%20b%3E&') },
    ],
    ['/pages?&all&limit=10', { first: at(0, 'all&'), next: at(10, 'all&'), last: at(20, 'all&') }],
    ['/pages?l%69mit=10', { first: at(0), next: at(10), last: at(20) }],
    ['/pages?cursor=x&skip=0&limit=10', { first: at(0) }],
  ] as const) {
    it(`links to its other pages: ${asked}`, async () => {
      expect((await ask(asked)).links).to.deep.equal(links);
    });
  }

  it('keeps a bracket of the query from ending an address', () => {
    const place = { address: '/pages', querystring: 'kind=a>b<c&limit=30', query: { limit: 30 } };
    expect(linksIn(listHeaders(place, TOTAL).Link)['first']).to.equal(
      '/pages?kind=a%3Eb%3Cc&skip=0&limit=30',
    );
  });

  for (const path of ['/cursors', '/cursor-bytes']) {
    const next = `/api/v1${path}?kind=a&cursor=b&limit=10`;

    it(`links to its next page by cursor where the answer has one: ${path}`, async () => {
      const { links } = await ask(`${path}?kind=a&limit=10`);
      expect(links['next']).to.equal(next);
      expect(links).to.have.all.keys('first', 'next', 'last');
    });

    it(`links from a page at a cursor to the first and the next one: ${path}`, async () => {
      const { links } = await ask(`${path}?kind=a&cursor=a&limit=10`);
      expect(links).to.deep.equal({ first: `/api/v1${path}?kind=a&skip=0&limit=10`, next });
    });
  }

  it('keeps the cursor in the link to its next page where no limit was given', () => {
    const place = { address: '/pages', querystring: 'kind=a', query: {} };
    expect(linksIn(listHeaders(place, TOTAL, 'b').Link)['next']).to.equal('/pages?kind=a&cursor=b');
  });

  it('encodes what would end an address in the header', () => {
    const place = { address: '/pages', querystring: 'kind=<a>', query: { limit: 10 } };
    expect(linksIn(listHeaders(place, TOTAL).Link)['first']).to.equal('/pages?kind=%3Ca%3E&skip=0&limit=10');
  });

  it('links to no page after the last one at a cursor', async () => {
    expect((await ask('/cursors?cursor=end&limit=10')).links).to.have.all.keys('first');
  });

  it('is answered at each of these addresses', async () => {
    const { links } = await ask('/pages?kind=a%20b%3E&skip=10&limit=10');
    for (const target of Object.values(links)) {
      expect((await server.request('GET', `/${target}`)).status).to.equal(200);
    }
  });

  it('without pages links to itself as the first and last page', async () => {
    expect(await ask('/whole')).to.deep.equal({
      total: '3',
      links: { first: '/api/v1/whole', last: '/api/v1/whole' },
    });
  });

  it('is linked at the public address where there is one', async () => {
    const behind = await startServer(routes, { settings: { public_url: 'https://example.org/vitrine/' } });
    const { headers } = await fetch(`http://127.0.0.1:${behind.port}/api/v1/whole`);
    await behind.close();
    expect(linksIn(headers.get('link'))['first']).to.equal('https://example.org/vitrine/api/v1/whole');
  });

  it('is distinguished from a single resource', async () => {
    expect(await ask('/one')).to.deep.equal({ total: null, links: {} });
  });
});

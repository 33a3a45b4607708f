import type { Middleware } from 'koa';
import { expect } from 'chai';
import { contribute, defineSettings, HTTP_MIDDLEWARES, setting, Type } from '../../../core/index.ts';
import { problem } from '../../../core/errors/problem.ts';
import type { HttpMiddleware } from '../../../core/http/middlewares.ts';
import { things } from './routes-fixture.ts';
import { startServer, type TestServer } from './support.ts';

const Teapot = problem({ code: 'teapot', status: 418, title: 'A teapot', description: 'No coffee.' });

describe('middlewares of plugins', () => {
  let server: TestServer;
  let order: string[];
  afterEach(() => server.close());

  const serving = async (middlewares: readonly HttpMiddleware[], settings = {}): Promise<void> => {
    order = [];
    server = await startServer(things, { middlewares, settings });
  };
  const noting =
    (what: string): Middleware =>
    async (ctx, next) => {
      order.push(`${what} begins`);
      await next();
      order.push(`${what} ends with ${ctx.status}`);
    };

  it('stand where they say, each around those behind it', async () => {
    await serving([
      { before: 'routing', middleware: noting('inner') },
      { before: 'admission', middleware: noting('outer') },
      { before: 'admission', middleware: noting('second') },
    ]);
    await server.request('GET', '/things');
    expect(order).to.deep.equal([
      'outer begins',
      'second begins',
      'inner begins',
      'inner ends with 200',
      'second ends with 200',
      'outer ends with 200',
    ]);
  });

  it('may add headers and answer by themselves', async () => {
    const middleware: Middleware = async (ctx, next) => {
      ctx.set('X-Region', 'here');
      if (ctx.path === '/own') ctx.body = { own: true };
      else await next();
    };
    await serving([{ before: 'routing', middleware }]);
    const own = await server.request('GET', '//own');
    expect([own.status, own.body, own.headers.get('x-region')]).to.deep.equal([200, { own: true }, 'here']);
    expect((await server.request('GET', '/things')).headers.get('x-region')).to.equal('here');
  });

  it('refuse with problems', async () => {
    const middleware: Middleware = () => {
      throw Teapot('This is a teapot.');
    };
    await serving([{ before: 'admission', middleware }]);
    const { status, body } = await server.request('GET', '/things');
    expect([status, body.code, body.instance]).to.deep.equal([418, 'teapot', '/api/v1/things']);
  });

  it('see refused requests before admission, and only admitted ones behind it', async () => {
    await serving(
      [
        { before: 'admission', middleware: noting('first') },
        { before: 'routing', middleware: noting('last') },
      ],
      { max_in_flight: 0 },
    );
    expect((await server.request('GET', '/things')).status).to.equal(503);
    expect(order).to.deep.equal(['first begins']);
  });

  it('are contributed with their dependencies as "Writing a plugin" shows, without a type that is named', () => {
    const RegionSettings = defineSettings('regions', {
      name: setting(Type.String(), { default: 'here', description: '' }),
    });
    const { order: place, create } = contribute(HTTP_MIDDLEWARES, {
      order: 10,
      deps: { settings: RegionSettings.token },
      create: ({ settings }) => ({
        before: 'routing',
        middleware: async (ctx, next) => {
          await next();
          ctx.set('X-Region', settings.name);
        },
      }),
    });
    expect(place).to.equal(10);
    expect(create({ settings: { name: 'here' } } as never)).to.have.property('before', 'routing');
  });
});

import { expect } from 'chai';
import Type from 'typebox';
import {
  contribute,
  DATABASE,
  defineEvent,
  definePlugin,
  EVENTS,
  extensionPoint,
  HEALTH,
  INSTALLATION,
  listen,
  routesWith,
  service,
  step,
  token,
} from '../../../core/index.ts';
import type { PluginDefinition } from '../../../core/kernel/plugin.ts';
import { makeScratch, onEveryEngine, startTestKernel, type Scratch } from '../../../core/testing.ts';

const GUESTS = extensionPoint<string>('host:guests');
const NEEDED = token<string>('nobody:needed');
const CAKE = token<string>('guest:cake');
const rang = defineEvent('host:rang', Type.Object({ at: Type.String() }), 'Somebody rang.');

const routeOf = (id: string) =>
  routesWith({})({
    method: 'GET',
    path: `/${id}`,
    operationId: id,
    summary: 'Is there',
    access: 'public',
    answers: Type.Object({ here: Type.String() }),
    handle: () => ({ here: id }),
  });

const tableOf = (id: string) => ({
  name: '0001_table',
  up: async (trx: Parameters<NonNullable<PluginDefinition['migrations']>[number]['up']>[0]) => {
    await trx.schema.createTable(`${id}_things`, (table) => void table.text('id').primary());
  },
});

const basic = { version: '1.0.0', api: '^1.0', summary: 'x' };

/** Serves all that others may fill. */
function host(diary: string[]): PluginDefinition {
  const bell = routesWith({ events: EVENTS, guests: GUESTS })({
    method: 'POST',
    path: '/bell',
    operationId: 'ring',
    summary: 'Rings',
    access: 'public',
    answers: Type.Object({ guests: Type.Array(Type.String()) }),
    handle: (_input, { events, guests }) => {
      events.emit(rang, { at: 'noon' });
      return { guests: [...guests] };
    },
  });
  return definePlugin({
    ...basic,
    id: 'host',
    opens: [GUESTS],
    events: { emits: [rang] },
    routes: [bell],
    migrations: [tableOf('host')],
    start: step({ database: DATABASE }, async ({ database }) => {
      await database.ping();
      diary.push('host starts');
    }),
    stop: step({ database: DATABASE }, async ({ database }) => {
      await database.ping();
      diary.push('host stops');
    }),
  });
}

/** Has one of everything that a plugin registers. */
function guest(diary: string[], fault: Partial<PluginDefinition> = {}): PluginDefinition {
  return definePlugin({
    ...basic,
    id: 'guest',
    services: [service({ token: CAKE, deps: {}, create: () => 'plum' })],
    contributes: [contribute(GUESTS, { deps: {}, create: () => 'guest' })],
    optional: ['host'],
    events: { listens: [listen(rang, { deps: {}, handle: () => void diary.push('guest heard') })] },
    routes: [routeOf('guest')],
    migrations: [tableOf('guest')],
    stop: step({}, () => void diary.push('guest stops')),
    ...fault,
  });
}

const friend = definePlugin({ ...basic, id: 'friend', requires: ['guest'], routes: [routeOf('friend')] });

const fail = (): never => {
  throw new Error('out of tea');
};

const FAULTS: Readonly<Record<string, Partial<PluginDefinition>>> = {
  'written for another contract': { api: '^9.0' },
  'with a route that nobody may use': { routes: [{ ...routeOf('guest'), access: undefined as never }] },
  'that requires one that is not there': { requires: ['nobody'] },
  'that cannot be wired': {
    services: [service({ token: CAKE, deps: { needed: NEEDED }, create: () => 'plum' })],
    requires: [],
    optional: ['host', 'nobody'],
  },
  'whose service cannot be made': { services: [service({ token: CAKE, deps: {}, create: fail })] },
  'whose contribution cannot be made': {
    contributes: [contribute(GUESTS, { deps: {}, create: fail })],
  },
  'with a route that cannot be mounted': {
    routes: [{ ...routeOf('guest'), query: Type.Object({ page: Type.Optional(Type.Integer()) }) }],
  },
  'whose migration fails half-way': {
    migrations: [{ name: '0001_table', up: async (trx) => (await tableOf('guest').up(trx), fail()) }],
  },
  'that does not start': { start: step({}, fail) },
  'that does not start in time': { start: step({}, () => new Promise<void>(() => undefined)) },
};

onEveryEngine((engine) => {
  describe('a plugin without which the service may start', () => {
    let scratch: Scratch;
    let diary: string[];
    let lines: { level: string; msg: string; plugin?: string; why?: string }[];

    beforeEach(async () => {
      scratch = await makeScratch(engine);
      diary = [];
      lines = [];
    });
    afterEach(() => scratch.remove());

    const start = (plugins: readonly PluginDefinition[], ...may_fail: string[]) =>
      startTestKernel({
        engine,
        scratch,
        plugins,
        settings: { plugins: { may_fail } },
        deadlines: { startMs: 1_000 },
        log: { write: (line) => void lines.push(JSON.parse(line)) },
      });
    const refusal = (...args: Parameters<typeof start>): Promise<string> =>
      start(...args).then(
        async (kernel) => (await kernel.stop(), 'none'),
        (error: Error) => error.message,
      );

    for (const [what, fault] of Object.entries(FAULTS)) {
      it(`is left out with all that it registers: one ${what}`, async () => {
        const kernel = await start([host(diary), guest(diary, fault)], 'guest');
        const { status, body } = await kernel.request('POST', '/bell');
        expect([status, body]).to.deep.equal([200, { guests: [] }]);
        expect((await kernel.request('GET', '/guest')).status).to.equal(404);
        expect(await kernel.get(DATABASE).knex.schema.hasTable('host_things')).to.equal(true);
        const ready = await kernel.request('GET', `${kernel.rootUrl}/readyz?verbose=true`);
        expect(ready.status).to.equal(200);
        expect(ready.body.findings['guest:left-out'].state).to.equal('degraded');
        expect((await kernel.get(HEALTH).report()).state).to.equal('degraded');
        const listed = kernel.get(INSTALLATION).plugins.find(({ id }) => id === 'guest');
        expect(listed!.leftOut).to.be.a('string');
        const told = lines.filter(({ level, plugin }) => level === 'error' && plugin === 'guest');
        expect(told).to.have.length(1);
        expect(told[0]!.why).to.equal(listed!.leftOut);
        await kernel.stop();
        expect(diary).not.to.include('guest heard');
        expect(lines.at(-1)).to.include({ msg: 'stopped', clean: true });
      });

      it(`stops the start when it is not named: one ${what}`, async () => {
        const message = await refusal([host(diary), guest(diary, fault)]);
        expect(message).to.match(/"guest"/);
        expect(message).not.to.include('left out');
      });
    }

    it('that does not start is stopped, and those that ran start again', async () => {
      const kernel = await start([host(diary), guest(diary, { start: step({}, fail) })], 'guest');
      expect(diary).to.deep.equal(['host starts', 'guest stops', 'host stops', 'host starts']);
      await kernel.stop();
    });

    it('serves as ever when nothing is wrong with it', async () => {
      const kernel = await start([host(diary), guest(diary)], 'guest');
      expect((await kernel.request('POST', '/bell')).body).to.deep.equal({ guests: ['guest'] });
      expect((await kernel.get(HEALTH).report()).state).to.equal('healthy');
      await kernel.stop();
    });

    for (const [phase, fault] of [
      ['planned', { api: '^9.0' }],
      ['started', { start: step({}, fail) }],
    ] as const) {
      it(`that cannot be ${phase} takes those along that require it and are named too`, async () => {
        const kernel = await start([host(diary), guest(diary, fault), friend], 'guest', 'friend');
        expect((await kernel.request('GET', '/friend')).status).to.equal(404);
        expect((await kernel.request('POST', '/bell')).status).to.equal(200);
        await kernel.stop();
      });

      it(`that cannot be ${phase} stops the start when one that requires it is not named, and says both`, async () => {
        const message = await refusal([host(diary), guest(diary, fault), friend], 'guest');
        expect(message).to.include('The plugin "friend" requires "guest", which is left out.');
        expect(message).to.include('name "friend" in plugins.may_fail (PLUGINS_MAY_FAIL) as well');
        expect(message).to.match(/out of tea|contract/);
      });
    }

    it('takes up its data again once it is mended', async () => {
      const first = await start([host(diary), guest(diary)], 'guest');
      await first.get(DATABASE).knex('guest_things').insert({ id: 'kept' });
      await first.stop();
      await (await start([host(diary), guest(diary, { start: step({}, fail) })], 'guest')).stop();
      const again = await start([host(diary), guest(diary)], 'guest');
      expect(await again.get(DATABASE).knex('guest_things').pluck('id')).to.deep.equal(['kept']);
      await again.stop();
    });
  });
});

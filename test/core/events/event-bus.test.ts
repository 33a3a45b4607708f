import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import Type from 'typebox';
import { createEventBus, type EventFailure } from '../../../core/events/event-bus.ts';
import { defineEvent } from '../../../core/events/events.ts';
import { createLogger } from '../../../core/telemetry/pino-logger.ts';

const baked = defineEvent('bakery:cake-baked', Type.Object({ cake: Type.String() }), 'A cake was baked.');
const sold = defineEvent('bakery:cake-sold', Type.Object({ cake: Type.String() }), 'A cake was sold.');

describe('the event bus', () => {
  let heard: unknown[];
  let failures: EventFailure[];
  let lines: { plugin: string; err?: { message: string }; dropped?: number }[];
  let now: number;
  const hear = (payload: unknown) => void heard.push(payload);

  beforeEach(() => {
    heard = [];
    failures = [];
    lines = [];
    now = 0;
  });

  function bus(capacity?: number) {
    return createEventBus({
      logger: createLogger({ level: 'info', destination: { write: (line) => lines.push(JSON.parse(line)) } }),
      clock: { now: () => now, elapsed: () => now },
      onFailure: (failure) => failures.push(failure),
      ...(capacity ? { capacity } : {}),
    });
  }

  it('delivers a payload to every listener of the event', async () => {
    const events = bus();
    events.listen(baked, 'a', hear);
    events.listen(baked, 'b', hear);
    events.emit(baked, { cake: 'plum' });
    await events.idle();
    expect(heard).to.deep.equal([{ cake: 'plum' }, { cake: 'plum' }]);
  });

  it('does not deliver other events', async () => {
    const events = bus();
    events.listen(sold, 'a', hear);
    events.emit(baked, { cake: 'plum' });
    await events.idle();
    expect(heard).to.deep.equal([]);
  });

  it('never delivers in the stack of the teller', () => {
    const events = bus();
    events.listen(baked, 'a', hear);
    events.emit(baked, { cake: 'plum' });
    expect(heard).to.deep.equal([]);
  });

  it('delivers the emitted payload, even when the emitter changes it afterwards', async () => {
    const events = bus();
    events.listen(baked, 'a', hear);
    const payload = { cake: 'plum' };
    events.emit(baked, payload);
    payload.cake = 'mud';
    await events.idle();
    expect(heard).to.deep.equal([{ cake: 'plum' }]);
  });

  it('gives a listener what no other listener has changed', async () => {
    const events = bus();
    events.listen(baked, 'a', (payload) => void (payload.cake = 'mud'));
    events.listen(baked, 'b', hear);
    events.emit(baked, { cake: 'plum' });
    await events.idle();
    expect(heard).to.deep.equal([{ cake: 'plum' }]);
  });

  it('names an event whose payload is not plain JSON', () => {
    const events = bus();
    events.listen(baked, 'a', hear);
    expect(() => events.emit(baked, { cake: (() => 'plum') as never })).to.throw(
      'The payload of the event "bakery:cake-baked" is not plain JSON: ',
    );
  });

  it('keeps the order for a slow listener', async () => {
    const events = bus();
    events.listen(baked, 'a', async ({ cake }) => {
      await sleep(cake === 'first' ? 10 : 0);
      hear(cake);
    });
    events.emit(baked, { cake: 'first' });
    events.emit(baked, { cake: 'second' });
    await events.idle();
    expect(heard).to.deep.equal(['first', 'second']);
  });

  it('is idle only after the events that listeners emit', async () => {
    const events = bus();
    events.listen(baked, 'a', (payload) => events.emit(sold, payload));
    events.listen(sold, 'b', hear);
    events.emit(baked, { cake: 'plum' });
    await events.idle();
    expect(heard).to.deep.equal([{ cake: 'plum' }]);
  });

  describe('with a listener that fails', () => {
    const fail = () => Promise.reject(new Error('burnt'));

    it('reports event, plugin and error', async () => {
      const events = bus();
      events.listen(baked, 'oven', fail);
      events.emit(baked, { cake: 'plum' });
      await events.idle();
      expect(failures).to.deep.equal([{ event: 'bakery:cake-baked', plugin: 'oven' }]);
      expect(lines.map(({ plugin, err }) => [plugin, err?.message])).to.deep.equal([['oven', 'burnt']]);
    });

    it('still delivers to the others', async () => {
      const events = bus();
      events.listen(baked, 'oven', fail);
      events.listen(baked, 'shop', hear);
      events.emit(baked, { cake: 'plum' });
      await events.idle();
      expect(heard).to.have.length(1);
    });

    it('still delivers the next event to it', async () => {
      const events = bus();
      events.listen(baked, 'oven', (payload) => {
        hear(payload);
        throw new Error('burnt');
      });
      events.emit(baked, { cake: 'plum' });
      events.emit(baked, { cake: 'apple' });
      await events.idle();
      expect(heard).to.have.length(2);
    });
  });

  it('does not let a listener that hangs hold up another', async () => {
    const events = bus();
    events.listen(baked, 'stuck', () => new Promise<never>(() => {}));
    events.listen(baked, 'shop', hear);
    events.emit(baked, { cake: 'plum' });
    await sleep(20);
    expect(heard).to.have.length(1);
  });

  it('drops and counts what exceeds the capacity of a listener', async () => {
    const events = bus(2);
    events.listen(baked, 'slow', hear);
    for (const cake of ['a', 'b', 'c']) events.emit(baked, { cake });
    await events.idle();
    expect([heard.length, failures.length]).to.deep.equal([2, 1]);
  });

  it('logs dropped events once a second, with their number', () => {
    const events = bus(2);
    events.listen(baked, 'slow', hear);
    const bake = (cakes: number): void => {
      for (let n = 0; n < cakes; n += 1) events.emit(baked, { cake: String(n) });
    };
    bake(1002);
    now += 1000;
    bake(1);
    expect(failures).to.have.length(1001);
    expect(lines.map(({ plugin, dropped }) => [plugin, dropped])).to.deep.equal([
      ['slow', 1],
      ['slow', 1000],
    ]);
  });

  describe('that is closed', () => {
    it('delivers the queued events, and none afterwards', async () => {
      const events = bus();
      events.listen(baked, 'a', hear);
      events.emit(baked, { cake: 'plum' });
      await events.close(20_000);
      events.emit(baked, { cake: 'late' });
      await events.idle();
      expect(heard).to.deep.equal([{ cake: 'plum' }]);
    });

    it('waits until the deadline, names the unfinished listeners, and calls them no more', async () => {
      const events = bus();
      let end = (): void => undefined;
      events.listen(baked, 'stuck', (payload) => {
        hear(payload);
        return new Promise<void>((resolve) => (end = resolve));
      });
      events.listen(baked, 'shop', () => undefined);
      events.emit(baked, { cake: 'first' });
      events.emit(baked, { cake: 'second' });
      const fault = await events.close(50).catch((error: Error) => error.message);
      end();
      await events.idle();
      expect(fault).to.equal('Listeners of stuck did not end within 0.05 s.');
      expect(heard).to.deep.equal([{ cake: 'first' }]);
    });
  });
});

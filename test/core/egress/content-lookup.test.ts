import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { contentLookup } from '../../../core/egress/guard/content-lookup.ts';
import type { Lookup } from '../../../core/egress/guard/connector.ts';
import { until } from '../../support/until.ts';

const TYPE_A = 1;
const NXDOMAIN = 3;

/** The question of a DNS message: its name, its type and its bytes. */
function questionIn(message: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), bytes: message.subarray(12, at + 5) };
}

/** The answer to a DNS message: one address, none, or that there is no such name. */
function answerTo(message: Buffer, known: Readonly<Record<string, string>>): Buffer {
  const { name, type, bytes } = questionIn(message);
  const address = type === TYPE_A ? known[name] : undefined;
  const head = Buffer.alloc(12);
  message.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 + (name in known ? 0 : NXDOMAIN), 2);
  head.writeUInt16BE(1, 4);
  if (address === undefined) return Buffer.concat([head, bytes]);
  head.writeUInt16BE(1, 6);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, ...address.split('.').map(Number)]);
  return Buffer.concat([head, bytes, record]);
}

describe('the resolver of names that users choose', () => {
  let server: Socket;
  let silent: string[];
  let systemAsked: string[];
  let systemAnswers: (() => void)[];
  let lookup: Lookup;
  beforeEach(async () => {
    [silent, systemAsked, systemAnswers] = [[], [], []];
    server = createSocket('udp4');
    server.on('message', (message, from) => {
      if (silent.includes(questionIn(message).name)) return;
      server.send(answerTo(message, { 'images.example': '192.0.2.7' }), from.port, from.address);
    });
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
    const system: Lookup = (name, _options, done) => {
      systemAsked.push(name);
      systemAnswers.push(() => done(null, [{ address: '10.0.0.1', family: 4 }]));
    };
    const servers = [`127.0.0.1:${(server.address() as AddressInfo).port}`];
    const isListed = (name: string): boolean => name === 'listed.example';
    lookup = contentLookup({ system, isListed, servers, timeoutMs: 250 });
  });
  afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

  const resolve = (name: string): Promise<LookupAddress[] | string> =>
    new Promise((done) => lookup(name, { all: true }, (error, addresses) => done(error?.code ?? addresses)));

  async function untilSystemIsAsked(times: number): Promise<void> {
    await until(() => systemAsked.length >= times);
  }

  it('queries name servers, not the system', async () => {
    expect(await resolve('images.example')).to.deep.equal([{ address: '192.0.2.7', family: 4 }]);
    expect(systemAsked).to.deep.equal([]);
  });

  it('uses no thread of the system for a name whose server does not answer', async () => {
    silent = ['silent.example'];
    expect(await resolve('silent.example')).to.equal('ETIMEOUT');
    expect(systemAsked).to.deep.equal([]);
  });

  it('asks the system for names that name servers do not know, one at a time', async () => {
    const [one, other] = [resolve('one.lan'), resolve('other.lan')];
    await untilSystemIsAsked(1);
    await resolve('images.example');
    expect(systemAsked).to.have.length(1);
    systemAnswers[0]!();
    await untilSystemIsAsked(2);
    systemAnswers[1]!();
    expect(await Promise.all([one, other])).to.deep.equal(
      [1, 2].map(() => [{ address: '10.0.0.1', family: 4 }]),
    );
  });

  it('asks only the system for a name that the operator listed', async () => {
    silent = ['listed.example'];
    const found = resolve('listed.example');
    await untilSystemIsAsked(1);
    systemAnswers[0]!();
    expect(await found).to.deep.equal([{ address: '10.0.0.1', family: 4 }]);
  });
});

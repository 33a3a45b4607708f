/** Sends requests over raw sockets, since a client library would cost more than the server that is measured. */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../../test/support/until.ts';
import type { LoadOrder, LoadReport, Times } from '../support/load.ts';
import { MessageReader } from '../support/messages.ts';
import { tellPort } from '../support/told-port.ts';

/** How long the last requests of a run may take to be answered. */
const LAST_ANSWERS_MS = 5000;
const ACCEPTING_MS = 500;
const MICROSECONDS_PER_TICK = 10_000;

tellPort(0);
process.on(
  'message',
  (order: LoadOrder) => void new Run(order).result().then((report) => process.send?.(report)),
);

/** A kept-alive connection with one request at a time. */
interface Connection {
  socket: Socket | undefined;
  /** When the request that is under way was due, in milliseconds. */
  since: number | undefined;
}

/** One run of load: requests as fast as answers come, or at an even rate. */
class Run {
  readonly #order: LoadOrder;
  readonly #requests: readonly Buffer[];
  readonly #answers: Record<string, number> = {};
  readonly #good: number[] = [];
  readonly #refused: number[] = [];
  readonly #free: Connection[] = [];
  #next = 0;
  #inTime = 0;
  #ends = Infinity;

  constructor(order: LoadOrder) {
    this.#order = order;
    this.#requests = order.requests.map((request) => Buffer.from(request));
  }

  async result(): Promise<LoadReport> {
    const { connections, seconds, perSecond, pid } = this.#order;
    const spentBefore = processorTime(pid);
    const all = await Promise.all(Array.from({ length: connections }, () => this.#open()));
    // A connection is open once the system has it; a server of Node then accepts one in each iteration of its loop.
    await pause(ACCEPTING_MS);
    const began = performance.now();
    this.#ends = began + seconds * 1000;
    if (perSecond === undefined) {
      for (const connection of all) this.#send(connection, performance.now());
      await pause(seconds * 1000);
    } else {
      this.#free.push(...all);
      await this.#sendEvenly(began, perSecond);
    }
    const areAnswered = (): boolean => all.every(({ since }) => since === undefined);
    await until(areAnswered, LAST_ANSWERS_MS).catch(() => undefined);
    for (const { since, socket } of all) {
      if (since !== undefined) this.#count('no answer');
      socket?.removeAllListeners('close').destroy();
    }
    return {
      perSecond: this.#inTime / seconds,
      answers: this.#answers,
      good: timesOf(this.#good),
      refused: timesOf(this.#refused),
      cost: (processorTime(pid) - spentBefore) / (this.#good.length + this.#refused.length),
    };
  }

  /** A request that is due while no connection is free is not sent; its time counts from when it was due. */
  async #sendEvenly(began: number, perSecond: number): Promise<void> {
    const total = Math.floor(perSecond * this.#order.seconds);
    for (let sent = 0; sent < total;) {
      const due = Math.min(total, Math.floor(((performance.now() - began) * perSecond) / 1000));
      for (; sent < due; sent += 1) {
        const connection = this.#free.shift();
        if (connection) this.#send(connection, began + (sent * 1000) / perSecond);
        else this.#count('unsent');
      }
      await pause(1);
    }
  }

  #send(connection: Connection, since: number): void {
    connection.since = since;
    if (!connection.socket) this.#connect(connection);
    connection.socket!.write(this.#requests[this.#next++ % this.#requests.length]!);
  }

  async #open(): Promise<Connection> {
    const connection: Connection = { socket: undefined, since: undefined };
    await new Promise<void>((resolve) => this.#connect(connection, resolve));
    return connection;
  }

  #connect(connection: Connection, onOpen?: () => void): void {
    const socket = connect({ port: this.#order.port, host: '127.0.0.1', noDelay: true }, onOpen);
    const reader = new MessageReader((head, body) => {
      if (/\r\nconnection: *close/i.test(head)) {
        connection.socket = undefined;
        socket.end();
      }
      this.#answered(connection, this.#kindOf(head, body));
    });
    socket.on('data', (chunk) => reader.push(chunk));
    socket.on('error', () => onOpen?.());
    socket.on('close', () => {
      if (connection.socket !== socket) return;
      connection.socket = undefined;
      if (connection.since !== undefined) this.#answered(connection, 'lost');
    });
    connection.socket = socket;
  }

  #kindOf(head: string, body: Buffer): string {
    const status = head.slice(9, 12);
    if (status === '503' && !/\r\nretry-after: *\d/i.test(head)) return '503 without Retry-After';
    const { expect } = this.#order;
    return status === '200' && expect !== undefined && !body.includes(expect) ? 'wrong body' : status;
  }

  #answered(connection: Connection, kind: string): void {
    const now = performance.now();
    this.#count(kind);
    (kind === '200' ? this.#good : this.#refused).push(now - connection.since!);
    connection.since = undefined;
    if (kind === '200' && now <= this.#ends) this.#inTime += 1;
    if (this.#order.perSecond !== undefined) this.#free.push(connection);
    else if (now < this.#ends) this.#send(connection, now);
  }

  #count(kind: string): void {
    this.#answers[kind] = (this.#answers[kind] ?? 0) + 1;
  }
}

function timesOf(milliseconds: readonly number[]): Times {
  const sorted = Float64Array.from(milliseconds).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

/** Microseconds that a process has spent on a processor, all threads together. Linux only. */
function processorTime(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
}

/** Makes load as it is told, and reports answers by status and times. */
import { setTimeout as pause } from 'node:timers/promises';
import type { LoadOrder, LoadReport } from '../support/load.ts';
import { Connection, type Answered } from '../support/connection.ts';
import { Tally } from '../support/tally.ts';
import { tellPort } from '../support/told-port.ts';

const LAST_ANSWERS_MS = 5000;
/** Node takes in one new connection in a turn of its loop: under load, those that are open here would wait there. */
const TAKEN_IN_MS = 500;

tellPort(0);
process.on('message', (order: LoadOrder) => {
  void (order.perSecond === undefined ? untilAnswered(order) : evenly(order, order.perSecond)).then(
    (report) => process.send?.(report),
  );
});

/** Each connection asks again as soon as it has its answer. */
async function untilAnswered(order: LoadOrder): Promise<LoadReport> {
  const tally = new Tally();
  let ends = Infinity;
  const onAnswer = (connection: Connection, answer: Answered): void => {
    tally.add(answer, { inTime: answer.at <= ends });
    if (answer.at < ends) connection.send(performance.now());
  };
  const connections = await openAll(order, onAnswer);
  const began = performance.now();
  ends = began + order.seconds * 1000;
  for (const connection of connections) connection.send(performance.now());
  await settled(connections, ends);
  return finish(connections, tally, (ends - began) / 1000);
}

/**
 * Requests fall due one after the other at the same distance; a request's time counts from when it was due. Connections
 * take turns: one that is never used would be closed as idle, just when it is needed.
 */
async function evenly(order: LoadOrder, perSecond: number): Promise<LoadReport> {
  const tally = new Tally();
  const free: Connection[] = [];
  const total = Math.floor(perSecond * order.seconds);
  let due = 0;
  let sent = 0;
  let timedFrom = Infinity;
  const sendDue = (): void => {
    for (; sent < due && free.length > 0; sent += 1) {
      free.shift()!.send(began + (sent * 1000) / perSecond);
    }
  };
  const connections = await openAll(order, (connection, answer) => {
    tally.add(answer, { isTimed: answer.at - answer.took >= timedFrom });
    free.push(connection);
    sendDue();
  });
  free.push(...connections);
  const began = performance.now();
  timedFrom = began + (order.settleSeconds ?? 0) * 1000;
  while (due < total) {
    due = Math.min(total, Math.floor(((performance.now() - began) * perSecond) / 1000));
    sendDue();
    if (order.leaveUnsent) for (; sent < due; sent += 1) tally.addOther('unsent');
    await pause(1);
  }
  await settled(connections, performance.now());
  for (; sent < total; sent += 1) tally.addOther('unsent');
  return finish(connections, tally, order.seconds);
}

async function openAll(
  { port, request, expect, connections }: LoadOrder,
  onAnswer: (connection: Connection, answer: Answered) => void,
): Promise<Connection[]> {
  const bytes = Buffer.from(request);
  const proof = expect === undefined ? undefined : Buffer.from(expect);
  const opened = await Promise.all(
    Array.from({ length: connections }, () => Connection.open({ port, request: bytes, proof, onAnswer })),
  );
  await pause(TAKEN_IN_MS);
  return opened;
}

/** Waits until the end, and then for answers that are still to come. */
function settled(connections: readonly Connection[], ends: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const now = performance.now();
      const isDone = now >= ends && connections.every(({ isBusy }) => !isBusy);
      if (isDone || now > ends + LAST_ANSWERS_MS) resolve();
      else setTimeout(look, 5);
    };
    look();
  });
}

function finish(connections: readonly Connection[], tally: Tally, seconds: number): LoadReport {
  for (const connection of connections) {
    if (connection.isBusy) tally.addOther('no answer');
    connection.close();
  }
  return tally.report(seconds);
}

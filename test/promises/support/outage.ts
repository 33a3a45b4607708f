import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { expectTrueLedger } from './ledger.ts';
import { acknowledged, histogram, startLoad, type Answer, type Load } from './load.ts';
import type { Scene } from './scene.ts';

/** A fault that lasts. */
export interface Outage {
  begin(): Promise<void> | void;
  end(): Promise<void> | void;
  /** How long; in the longer ones records go to the spool. */
  readonly ms: number;
  /** Milliseconds after which the service knows that its store is away; 1,000 by default. */
  readonly noticedMs?: number;
}

/** The service may take so long to notice that its store is away, unless an outage takes longer to be one. */
const NOTICED_MS = 1_000;
const NEWCOMERS = 4;
const BACK_WITHIN_MS = 3_000;
const SOME_MS = 500;
const SETTLED_WITHIN_MS = 10_000;

/** What a load saw of an outage. */
export interface Seen {
  /** Of requests that began and ended while the store was known to be away. */
  readonly meanwhile: Record<string, number>;
  /** From when the outage was ended to the first success. */
  readonly backAfterMs: number;
  /** How often an endpoint was asked while the store was known to be away. */
  readonly askedMeanwhile: number;
  /** What the rest of the service answered meanwhile. */
  readonly healthMeanwhile: number;
  readonly answers: readonly Answer[];
}

/** Lets the outage happen under load. */
export async function seenThrough(scene: Scene, outage: Outage): Promise<Seen> {
  const { noticedMs = NOTICED_MS } = outage;
  const load = startLoad(scene);
  while (acknowledged(load.answers).length < 20) await pause(5);
  await outage.begin();
  await pause(noticedMs);
  const noticed = performance.now();
  const asked = scene.upstream.requests.length;
  // Those who were there before may all be waiting for their record.
  const newcomers = startLoad(scene, NEWCOMERS);
  const { status: healthMeanwhile } = await scene.request('GET', '/health');
  await pause(outage.ms - noticedMs);
  const askedMeanwhile = scene.upstream.requests.length - asked;
  const ended = performance.now();
  await outage.end();
  const back = performance.now();
  const first = await firstSuccessAfter([load, newcomers], ended);
  await pause(SOME_MS);
  await Promise.all([load.stop(), newcomers.stop()]);
  const answers = [...load.answers, ...newcomers.answers];
  const within = answers.filter(({ began, ended: until }) => began >= noticed && until < ended);
  return {
    meanwhile: histogram(within),
    backAfterMs: first - back,
    askedMeanwhile,
    healthMeanwhile,
    answers,
  };
}

/** When a call was answered that began after the time. */
async function firstSuccessAfter(loads: readonly Load[], time: number): Promise<number> {
  for (;;) {
    for (const { answers } of loads) {
      const first = answers.find(({ status, began }) => status === 200 && began > time);
      if (first) return first.ended;
    }
    if (performance.now() - time > 4 * BACK_WITHIN_MS) return Infinity;
    await pause(10);
  }
}

/**
 * Expects that callers were refused, and nothing else, that no endpoint was asked in vain, and that nothing is lost. Where
 * the spool failed with the database, calls that were answered 503 may have no record.
 */
export async function expectNoHarm(
  scene: Scene,
  seen: Seen,
  { spoolFails = false }: { readonly spoolFails?: boolean } = {},
): Promise<void> {
  const { answers, meanwhile, askedMeanwhile, healthMeanwhile, backAfterMs } = seen;
  expect(Object.keys(meanwhile)).to.deep.equal(['503 store_unavailable']);
  expect(Object.keys(histogram(answers))).to.have.members(['200', '503 store_unavailable']);
  expect(askedMeanwhile, 'asked while the store was away').to.equal(0);
  // It answers; 503 as soon as a check has noticed the outage.
  expect(healthMeanwhile, '/health').to.be.oneOf([200, 503]);
  expect(backAfterMs, 'milliseconds to the first success').to.be.below(BACK_WITHIN_MS);
  await settled(scene);
  const { unrecorded } = await expectTrueLedger(scene, acknowledged(answers));
  if (!spoolFails) expect(unrecorded, 'asked and not recorded').to.deep.equal([]);
}

/** What was set aside during the outage is stored soon after it. */
async function settled(scene: Scene): Promise<void> {
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  while (performance.now() < deadline) {
    const { total_calls } = await scene.read('/history/statistics');
    if (total_calls >= scene.upstream.requests.length) return;
    await pause(100);
  }
}

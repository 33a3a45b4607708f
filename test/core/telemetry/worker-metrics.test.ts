import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { MetricsSnapshot } from '../../../core/telemetry/metrics-snapshot.ts';
import { createMetrics, type KernelMetrics } from '../../../core/telemetry/prometheus.ts';
import { WorkerMetrics } from '../../../core/telemetry/worker-metrics.ts';
import { holdTimers } from '../../support/held-timers.ts';

const declarations = [
  { kind: 'counter', name: 'calls_total', help: 'Calls.', labels: ['status'] },
  { kind: 'histogram', name: 'took_seconds', help: 'Time.', buckets: [1, 2] },
  { kind: 'gauge', name: 'queue_depth', help: 'Waiting.' },
] as const;

/** Workers in one process: each is a kernel's metrics, and answers when it is asked unless it hangs. */
class Workers {
  readonly metrics: WorkerMetrics;
  readonly hanging = new Set<number>();
  readonly late: (() => void)[] = [];

  constructor(count: number) {
    this.metrics = new WorkerMetrics(count);
  }

  start(worker: number): KernelMetrics {
    const metrics = createMetrics(declarations);
    this.metrics.started(worker, (collection) => void this.#answer(worker, collection, metrics.snapshot()));
    return metrics;
  }

  async #answer(worker: number, collection: number, taking: Promise<MetricsSnapshot>): Promise<void> {
    const snapshot = await taking;
    const answer = (): void => this.metrics.answered(worker, collection, snapshot);
    if (this.hanging.has(worker)) this.late.push(answer);
    else answer();
  }
}

/** The figure of a line of the exposition; `undefined` when there is none. */
function figureIn(text: string, name: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

describe('metrics of several workers', () => {
  let workers: Workers;
  let one: KernelMetrics;
  let two: KernelMetrics;
  const seen = async (...names: string[]): Promise<(number | undefined)[]> => {
    const text = await workers.metrics.exposition();
    return names.map((name) => figureIn(text, name));
  };
  beforeEach(() => {
    workers = new Workers(2);
    one = workers.start(1);
    two = workers.start(2);
  });

  it('have the number of their worker as a label', async () => {
    one.counter('calls_total').inc({ status: 'ok' }, 3);
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    one.histogram('took_seconds').observe(0.5);
    two.histogram('took_seconds').observe(1.5);
    one.gauge('queue_depth').set(2);
    two.gauge('queue_depth').set(3);
    const names = [
      'calls_total{status="ok",worker="1"}',
      'calls_total{status="ok",worker="2"}',
      'took_seconds_bucket{le="1",worker="1"}',
      'took_seconds_bucket{le="1",worker="2"}',
      'queue_depth{worker="1"}',
      'queue_depth{worker="2"}',
    ];
    expect(await seen(...names)).to.deep.equal([3, 4, 1, 0, 2, 3]);
  });

  it('have one heading for each metric, as the text format of Prometheus demands', async () => {
    const text = await workers.metrics.exposition();
    const headings = text.split('\n').filter((line) => line.startsWith('# TYPE '));
    expect(headings).to.include('# TYPE calls_total counter');
    expect(new Set(headings).size).to.equal(headings.length);
  });

  it('distinguish the metrics of each process, and omit none', async () => {
    const text = await workers.metrics.exposition();
    for (const name of [
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_eventloop_lag_seconds',
    ])
      for (const worker of [1, 2])
        expect(figureIn(text, `${name}{worker="${worker}"}`), name).to.be.a('number');
  });

  it('say how many workers there should be, and that none is missing', async () => {
    expect(await seen('vitrine_workers', 'vitrine_workers_missing')).to.deep.equal([2, 0]);
  });

  it('do not wait for ever for a worker that hangs, and say that it is missing', async () => {
    workers.hanging.add(2);
    one.counter('calls_total').inc({ status: 'ok' }, 3);
    let figures: unknown;
    const timers = holdTimers();
    const asked = seen('calls_total{status="ok",worker="1"}', 'vitrine_workers_missing');
    timers.release();
    void asked.then((found) => (figures = found));
    timers.ringUpTo(900);
    for (let n = 0; n < 20; n += 1) await turn();
    expect(figures).to.equal(undefined);
    // Prometheus itself gives a scrape up after ten seconds by default.
    timers.ringUpTo(8_000);
    expect(await asked).to.deep.equal([3, 1]);
  });

  it('leave out those of a worker that hangs or has ended, until it answers again', async () => {
    const names = ['queue_depth{worker="1"}', 'queue_depth{worker="2"}', 'vitrine_workers_missing'];
    one.gauge('queue_depth').set(1);
    two.gauge('queue_depth').set(3);
    expect(await seen(...names)).to.deep.equal([1, 3, 0]);
    workers.hanging.add(2);
    expect(await seen(...names)).to.deep.equal([1, undefined, 1]);
    workers.hanging.delete(2);
    expect(await seen(...names)).to.deep.equal([1, 3, 0]);
    workers.metrics.ended(1);
    expect(await seen(...names)).to.deep.equal([undefined, 3, 1]);
    workers.start(1);
    expect(await seen(...names)).to.deep.equal([0, 3, 0]);
  });

  it('do not wait for a worker that dies during a collection', async () => {
    workers.hanging.add(2);
    const timers = holdTimers();
    const asked = seen('vitrine_workers_missing');
    timers.release();
    await turn();
    workers.metrics.ended(2);
    // No timer rings, so it was not given up.
    expect(await asked).to.deep.equal([1]);
  });

  it('are the same for two concurrent requests', async () => {
    one.counter('calls_total').inc({ status: 'ok' }, 3);
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    const names = ['calls_total{status="ok",worker="1"}', 'calls_total{status="ok",worker="2"}'];
    expect(await Promise.all([seen(...names), seen(...names)])).to.deep.equal([
      [3, 4],
      [3, 4],
    ]);
  });

  it('can be requested before any worker serves', async () => {
    workers = new Workers(2);
    expect(await seen('vitrine_workers_missing')).to.deep.equal([2]);
  });
});

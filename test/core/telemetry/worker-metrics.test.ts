import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { MetricsSnapshot } from '../../../core/telemetry/metrics-snapshot.ts';
import { createMetrics, type KernelMetrics } from '../../../core/telemetry/prometheus.ts';
import { WorkerMetrics } from '../../../core/telemetry/worker-metrics.ts';

const declarations = [
  { kind: 'counter', name: 'calls_total', help: 'Calls.', labels: ['status'] },
  { kind: 'histogram', name: 'took_seconds', help: 'Time.', buckets: [1, 2] },
  { kind: 'gauge', name: 'queue_depth', help: 'Waiting.' },
  { kind: 'gauge', name: 'disk_ratio', help: 'Disk.', across: 'max' },
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

  it('add up what was counted, label by label', async () => {
    one.counter('calls_total').inc({ status: 'ok' }, 3);
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    two.counter('calls_total').inc({ status: 'bad' }, 1);
    expect(await seen('calls_total{status="ok"}', 'calls_total{status="bad"}')).to.deep.equal([7, 1]);
  });

  it('add up histograms, bucket by bucket', async () => {
    one.histogram('took_seconds').observe(0.5);
    two.histogram('took_seconds').observe(1.5);
    const names = ['took_seconds_bucket{le="1"}', 'took_seconds_bucket{le="+Inf"}', 'took_seconds_sum'];
    expect(await seen(...names)).to.deep.equal([1, 2, 2]);
  });

  it('put gauges together as they declare: added up, or the largest', async () => {
    for (const [metrics, depth, disk] of [
      [one, 2, 0.4],
      [two, 3, 0.6],
    ] as const) {
      metrics.gauge('queue_depth').set(depth);
      metrics.gauge('disk_ratio').set(disk);
    }
    expect(await seen('queue_depth', 'disk_ratio')).to.deep.equal([5, 0.6]);
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
    const began = performance.now();
    expect(await seen('calls_total{status="ok"}', 'vitrine_workers_missing')).to.deep.equal([3, 1]);
    expect(performance.now() - began).to.be.within(900, 8_000);
  });

  it('keep what a worker had counted that hangs now, but not how things stood', async () => {
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    two.gauge('queue_depth').set(3);
    one.gauge('queue_depth').set(1);
    await seen();
    workers.hanging.add(2);
    const names = ['calls_total{status="ok"}', 'queue_depth', 'process_resident_memory_bytes{worker="2"}'];
    expect(await seen(...names)).to.deep.equal([4, 1, undefined]);
  });

  it('use the late answer of a worker for the next collection', async () => {
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    workers.hanging.add(2);
    expect(await seen('calls_total{status="ok"}')).to.deep.equal([undefined]);
    for (const answer of workers.late) answer();
    expect(await seen('calls_total{status="ok"}')).to.deep.equal([4]);
  });

  it('never decrease when workers die and are replaced', async () => {
    for (let round = 1; round <= 3; round += 1) {
      one.counter('calls_total').inc({ status: 'ok' }, 5);
      one.histogram('took_seconds').observe(1);
      one.gauge('queue_depth').set(9);
      expect(await seen('calls_total{status="ok"}')).to.deep.equal([5 * round]);
      workers.metrics.ended(1);
      const names = [
        'calls_total{status="ok"}',
        'took_seconds_count',
        'queue_depth',
        'vitrine_workers_missing',
      ];
      expect(await seen(...names)).to.deep.equal([5 * round, round, 0, 1]);
      one = workers.start(1);
    }
    expect(await seen('vitrine_workers_missing')).to.deep.equal([0]);
  });

  it('do not wait for a worker that dies during a collection', async () => {
    workers.hanging.add(2);
    const asked = seen('vitrine_workers_missing');
    const waited = pause(900, 'waited');
    await pause(100);
    workers.metrics.ended(2);
    expect(await Promise.race([asked, waited])).to.deep.equal([1]);
  });

  it('are the same for two concurrent requests', async () => {
    one.counter('calls_total').inc({ status: 'ok' }, 3);
    two.counter('calls_total').inc({ status: 'ok' }, 4);
    const both = await Promise.all([seen('calls_total{status="ok"}'), seen('calls_total{status="ok"}')]);
    expect(both).to.deep.equal([[7], [7]]);
  });

  it('can be requested before any worker serves', async () => {
    workers = new Workers(2);
    expect(await seen('vitrine_workers_missing')).to.deep.equal([2]);
  });
});

import { expect } from 'chai';
import { Histogram, Registry } from 'prom-client';
import { createMetrics } from '../../../core/telemetry/prometheus.ts';

const calls = { kind: 'counter', name: 'calls_total', help: 'Calls.', labels: ['status'] } as const;
const depth = { kind: 'gauge', name: 'queue_depth', help: 'Waiting.' } as const;
const took = { kind: 'histogram', name: 'took_seconds', help: 'Time.', buckets: [1, 2] } as const;

describe('metrics', () => {
  it('are exposed with what was counted', async () => {
    const metrics = createMetrics([calls]);
    metrics.counter('calls_total').inc({ status: 'ok' }, 2);
    expect((await metrics.expose()).text).to.contain('calls_total{status="ok"} 2');
  });

  it('have the buckets that were declared', async () => {
    const metrics = createMetrics([took]);
    metrics.histogram('took_seconds').observe(1.5);
    expect((await metrics.expose()).text).to.contain('took_seconds_bucket{le="2"} 1');
  });

  it('include those of the process', async () => {
    expect((await createMetrics([]).expose()).text).to.contain('process_resident_memory_bytes');
  });

  it('of two kernels do not mix', async () => {
    createMetrics([depth]).gauge('queue_depth').set(7);
    expect((await createMetrics([depth]).expose()).text).to.contain('queue_depth 0');
  });

  it('cannot be declared twice', () => {
    expect(() => createMetrics([calls, calls])).to.throw('"calls_total" is declared twice');
  });

  for (const [what, declaration, message] of [
    ['a name', { ...took, name: 'took-seconds' }, '"took-seconds" cannot be the name of a metric'],
    ['a label', { ...calls, labels: ['1st'] }, 'cannot have a label "1st"'],
    ['the label of buckets', { ...took, labels: ['le'] }, 'cannot have a label "le"'],
    ['no help text,', { ...depth, help: '' }, 'the metric "queue_depth" has no help text'],
    ['buckets out of order', { ...took, buckets: [2, 1] }, 'must be finite and ascending: 2, 1'],
    ['a bucket twice', { ...took, buckets: [1, 1] }, 'must be finite and ascending'],
    ['a bucket without end', { ...took, buckets: [1, Infinity] }, 'must be finite and ascending'],
  ] as const) {
    it(`cannot have ${what} that Prometheus does not read`, () => {
      expect(() => createMetrics([declaration])).to.throw(message);
    });
  }

  it('cannot take the name of a process metric', () => {
    expect(() => createMetrics([{ ...depth, name: 'process_cpu_seconds_total' }])).to.throw('declared twice');
  });

  it('must be declared before they are asked for', () => {
    expect(() => createMetrics([]).counter('calls_total')).to.throw('was not declared');
  });

  it('have histograms that are exposed as those of prom-client are', async () => {
    const common = { name: 'took_seconds', help: 'Time.', buckets: [0.005, 0.1, 2.5] };
    const labels = ['method', 'route'];
    const registry = new Registry();
    const theirs = new Histogram({ ...common, labelNames: labels, registers: [registry] });
    const metrics = createMetrics([{ ...common, kind: 'histogram', labels }]);
    const ours = metrics.histogram('took_seconds');
    for (const value of [0, 0.005, 0.0051, 0.1, 2, 2.5, 2.6, 1e9]) {
      for (const route of ['/a "quoted" one', '/b']) {
        theirs.labels('GET', route).observe(value);
        ours.labels('GET', route).observe(value);
      }
    }
    expect((await metrics.expose()).text).to.contain(await registry.metrics());
  });

  it('show a histogram without labels, and its usual buckets, before anything was observed', async () => {
    const registry = new Registry();
    new Histogram({ name: 'took_seconds', help: 'Time.', registers: [registry] });
    const metrics = createMetrics([{ kind: 'histogram', name: 'took_seconds', help: 'Time.' }]);
    expect((await metrics.expose()).text).to.contain(await registry.metrics());
  });

  it('refuse what is no finite number, and labels that were not declared', () => {
    const histogram = createMetrics([{ ...took, labels: ['status'] }]).histogram('took_seconds');
    expect(() => histogram.labels('ok').observe(NaN)).to.throw(TypeError, 'NaN cannot be observed');
    expect(() => histogram.labels({ status: 'ok' } as never)).to.throw(TypeError, 'as text, in their order');
    expect(() => histogram.observe(1)).to.throw(
      'The metric "took_seconds" has the labels status, but was given 0 values',
    );
  });

  it('are handed out as the kind that was declared only', () => {
    expect(() => createMetrics([calls]).gauge('calls_total')).to.throw('is not a gauge');
  });
});

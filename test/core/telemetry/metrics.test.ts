import { expect } from 'chai';
import { createMetrics, metricFault } from '../../../core/telemetry/prometheus.ts';

const calls = { kind: 'counter', name: 'calls_total', help: 'Calls.', labels: ['status'] } as const;
const depth = { kind: 'gauge', name: 'queue_depth', help: 'Waiting.' } as const;
const took = { kind: 'histogram', name: 'took_seconds', help: 'Time.', buckets: [1, 2] } as const;

describe('metrics', () => {
  it('are exposed with what was counted', async () => {
    const metrics = createMetrics([calls]);
    metrics.counter('calls_total').inc({ status: 'ok' }, 2);
    expect((await metrics.expose()).text).to.contain('calls_total{status="ok"} 2');
  });

  it('of a gauge that is measured are set each time they are exposed', async () => {
    const metrics = createMetrics([depth]);
    let size = 3;
    metrics.measured('queue_depth', async (gauge) => {
      await Promise.resolve();
      gauge.set(size);
    });
    expect((await metrics.expose()).text).to.contain('queue_depth 3');
    size = 5;
    expect((await metrics.expose()).text).to.contain('queue_depth 5');
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

  for (const [what, declaration] of [
    ['a name', { ...took, name: 'took-seconds' }],
    ['a label', { ...calls, labels: ['1st'] }],
    ['the label of buckets', { ...took, labels: ['le'] }],
    ['no help text,', { ...depth, help: '' }],
  ] as const) {
    it(`cannot have ${what} that Prometheus does not read`, () => {
      expect(() => createMetrics([declaration])).to.throw();
      expect(metricFault(declaration)).to.be.a('string');
    });
  }

  it('cannot take the name of a process metric', () => {
    expect(() => createMetrics([{ ...depth, name: 'process_cpu_seconds_total' }])).to.throw('declared twice');
  });

  it('must be declared before they are used', () => {
    expect(() => createMetrics([]).counter('calls_total')).to.throw('was not declared');
  });

  it('show a histogram without labels before anything was observed, for a rate needs a zero to begin from', async () => {
    expect((await createMetrics([took]).expose()).text).to.contain('took_seconds_count 0');
  });

  it('are handed out as the kind that was declared only', () => {
    expect(() => createMetrics([calls]).gauge('calls_total')).to.throw('is not a gauge');
  });
});

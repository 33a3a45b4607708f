import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from './logger.ts';

type ExportResult = Parameters<Parameters<SpanExporter['export']>[1]>[0];

/**
 * The same exporter, which reports in one line that the receiver of traces is away, and in another one that it is back.
 * `receiver` is its address without credentials.
 */
export function reported(exporter: SpanExporter, receiver: string, logger: Logger): SpanExporter {
  let isAway = false;
  const report = ({ error }: ExportResult): void => {
    if ((error !== undefined) === isAway) return;
    isAway = error !== undefined;
    if (!error) return logger.info({ receiver }, 'Traces are sent again');
    const reason = ['code' in error ? error.code : undefined, error.message].filter(Boolean).join(' ');
    logger.warn(
      { receiver, reason },
      'Traces cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT) and are dropped until the receiver takes them; nothing else is affected',
    );
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        report(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

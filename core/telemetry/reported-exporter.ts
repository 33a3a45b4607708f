import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from './logger.ts';

type Export = Parameters<SpanExporter['export']>;
type ExportResult = Parameters<Export[1]>[0];

/** Reports that the receiver of traces is away in one line, and in another one that it is back. */
export class ReportedExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #receiver: string;
  readonly #logger: Logger;
  #isAway = false;

  /** `receiver`: its address without credentials. */
  constructor(exporter: SpanExporter, receiver: string, logger: Logger) {
    this.#exporter = exporter;
    this.#receiver = receiver;
    this.#logger = logger;
  }

  export(spans: Export[0], done: Export[1]): void {
    this.#exporter.export(spans, (result) => {
      this.#report(result);
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.#exporter.shutdown();
  }

  #report({ error }: ExportResult): void {
    if ((error !== undefined) === this.#isAway) return;
    this.#isAway = error !== undefined;
    const receiver = this.#receiver;
    if (!error) return this.#logger.info({ receiver }, 'Traces are sent again');
    const reason = ['code' in error ? error.code : undefined, error.message].filter(Boolean).join(' ');
    this.#logger.warn(
      { receiver, reason },
      'Traces cannot be sent (OTEL_EXPORTER_OTLP_ENDPOINT) and are dropped until the receiver takes them; nothing else is affected',
    );
  }
}

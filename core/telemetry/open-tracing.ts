import type { Logger } from './logger.ts';
import { receiverOf, type TracingSettings } from './tracing-settings.ts';
import type { Tracing } from './tracing.ts';

/** Begins to send traces where a receiver is set. The packages of OpenTelemetry are loaded only then. */
export async function openTracing(settings: TracingSettings, logger: Logger): Promise<Tracing | undefined> {
  const url = receiverOf(settings);
  if (url === undefined) return undefined;
  const { startTracing } = await import('./otlp-tracing.ts');
  return startTracing({ url, protocol: settings.protocol, logger });
}

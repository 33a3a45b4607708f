import type { Channel } from '../../core/egress/channel.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

const PROBE_MS = 5_000;

/** Whether the receiver of traces accepts connections. */
export async function traceReceiverFindings(
  url: string | undefined,
  backends: Pick<Channel, 'connect'>,
): Promise<DoctorFinding[]> {
  if (url === undefined)
    return [{ state: 'ok', message: 'OTEL_EXPORTER_OTLP_ENDPOINT is not set, so no traces are sent.' }];
  const { origin } = new URL(url);
  const receiver = `The receiver of traces ${origin} (OTEL_EXPORTER_OTLP_ENDPOINT)`;
  try {
    await backends.connect(origin, PROBE_MS);
    return [{ state: 'ok', message: `${receiver} accepts connections.` }];
  } catch (error) {
    const message = `${receiver} cannot be reached, so traces are dropped: ${(error as Error).message}`;
    return [{ state: 'warning', message, mend: `Start it, or correct its address: curl -v ${origin}` }];
  }
}

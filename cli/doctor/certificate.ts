import type { Channel } from '../../core/egress/channel.ts';
import { DAY_MS, isoDay } from '../../core/support/clock.ts';
import type { DoctorFinding } from '../../core/telemetry/doctor-check.ts';

const PROBE_MS = 5_000;
/** Authorities that renew by themselves do so a month before the end. */
const SOON_DAYS = 21;

/** Whether the address that clients use answers, and when its certificate ends. */
export async function publicUrlFindings(
  url: string | undefined,
  backends: Pick<Channel, 'connect'>,
  now: number,
): Promise<DoctorFinding[]> {
  if (url === undefined)
    return [{ state: 'ok', message: 'PUBLIC_URL is not set, so there is no certificate to look at.' }];
  let ends: number | undefined;
  try {
    ({ certificateEnds: ends } = await backends.connect(url, PROBE_MS));
  } catch (error) {
    return [
      {
        // From inside a network the public address may well be out of reach.
        state: 'warning',
        message: `PUBLIC_URL ${url} cannot be reached from here: ${(error as Error).message}`,
        mend: `curl -v ${url}`,
      },
    ];
  }
  if (ends === undefined) return [{ state: 'ok', message: `PUBLIC_URL ${url} accepts connections.` }];
  const message = `The certificate of PUBLIC_URL ${url} ends on ${isoDay(ends)}.`;
  if (ends > now + SOON_DAYS * DAY_MS) return [{ state: 'ok', message }];
  return [{ state: 'warning', message, mend: 'Renew it in the web server in front (certbot renew).' }];
}

import type { Logger } from '../../../core/index.ts';
import type { CallOutcome, Transport } from '../contract.ts';
import { schemeOf } from './transports.ts';

/** What a transport may take beyond its deadline to tell that it is over. */
const GRACE_MS = 1000;

/**
 * A transport that always answers: a failed call when the one of a plugin has not done so a second after its deadline,
 * so that it does not keep a place for ever. One that `keepsDeadline` is left as it is.
 */
export function withDeadline(transport: Transport, logger: Logger): Transport {
  if (transport.keepsDeadline === true) return transport;
  return {
    schemes: transport.schemes,
    check: (url) => transport.check(url),
    send: async (call, limits) => {
      const latestMs = limits.timeoutMs + GRACE_MS;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<CallOutcome>((resolve) => {
        timer = setTimeout(() => {
          logger.error(
            { call_id: call.id, scheme: schemeOf(call.callable.version.url) },
            'A transport did not answer within its deadline; whatever it does now is lost.',
          );
          resolve(tooLate(latestMs));
        }, latestMs);
      });
      try {
        return await Promise.race([transport.send(call, limits), late]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function tooLate(milliseconds: number): CallOutcome {
  const seconds = milliseconds / 1000;
  const message = `The way to the endpoint did not answer within ${seconds} s. Tell whoever runs the plugin of its scheme.`;
  return { ok: false, code: 'upstream_timeout', message, seconds };
}

import { Channel } from './channel.ts';
import type { Egress, EgressPurpose } from './egress.ts';
import { DENIED } from './failures.ts';
import { parseAllowList } from './guard/allow-list.ts';
import { systemResolver, type Lookup } from './guard/connector.ts';
import { contentLookup } from './guard/content-lookup.ts';
import { userGuard } from './guard/guard.ts';
import type { EgressValues } from './settings.ts';

export interface EgressOptions {
  /** Resolves names; the system's resolver by default. */
  readonly lookup?: Lookup;
  /** Bytes of large answers that may arrive at once in each channel. */
  readonly answerMemory?: number;
}

/** Makes the guarded client for URLs of users. `close` aborts the requests in progress. */
export function createEgress(
  settings: EgressValues,
  { lookup: system = systemResolver, answerMemory }: EgressOptions = {},
): Egress & { close(): Promise<void> } {
  const allowed = parseAllowList(settings.allow);
  const channelFor = (purpose: EgressPurpose, lookup: Lookup): Channel => {
    const guard = userGuard(settings.policy, purpose, allowed);
    return new Channel({ guard, lookup, redirects: 'fault', denied: DENIED, answerMemory });
  };
  const channels: Readonly<Record<EgressPurpose, Channel>> = {
    endpoint: channelFor('endpoint', system),
    content: channelFor('content', contentLookup(system)),
  };

  return {
    check: (url, purpose) => channels[purpose].check(url),
    request: (request) => channels[request.purpose].request(request),
    connect: (url, timeoutMs) => channels.endpoint.connect(url, timeoutMs),
    close: async () => {
      await Promise.all([channels.endpoint.close(), channels.content.close()]);
    },
  };
}

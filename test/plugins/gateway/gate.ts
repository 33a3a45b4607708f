import { startUpstream, type Upstream } from '../../support/upstream.ts';

/** An endpoint that answers when the test releases it. */
export async function startGate() {
  const waiting: (() => void)[] = [];
  let arrived = (): void => undefined;
  const upstream: Upstream = await startUpstream(async () => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
      arrived();
    });
    return {};
  });
  return {
    upstream,
    arrivals: async (count: number): Promise<void> => {
      while (waiting.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
    letAllPass: (): void => {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

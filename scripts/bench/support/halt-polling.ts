import { readFileSync } from 'node:fs';

const SETTING = '/sys/module/haltpoll/parameters/guest_halt_poll_ns';

/**
 * For how many microseconds an idle core of this virtual machine looks for work before it halts. To be woken from a halt takes
 * the host's help, tens of microseconds of it, and a lone call waits for some six of them. `undefined` where Linux has no such setting.
 */
export function haltPolling(): number | undefined {
  try {
    return Number(readFileSync(SETTING, 'utf8')) / 1000;
  } catch {
    return undefined;
  }
}

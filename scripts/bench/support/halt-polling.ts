import { readFileSync } from 'node:fs';

const GOVERNOR = '/sys/devices/system/cpu/cpuidle/current_governor';
const SETTING = '/sys/module/haltpoll/parameters/guest_halt_poll_ns';

/**
 * For how many microseconds an idle core of this virtual machine looks for work before it halts. To be woken from a halt takes
 * the host's help, tens of microseconds of it, and a lone call waits for some six of them. `undefined` where another governor decides.
 */
export function haltPolling(): number | undefined {
  try {
    if (readFileSync(GOVERNOR, 'utf8').trim() !== 'haltpoll') return undefined;
    return Number(readFileSync(SETTING, 'utf8')) / 1000;
  } catch {
    return undefined;
  }
}

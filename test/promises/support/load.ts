import { setTimeout as pause } from 'node:timers/promises';
import type { Scene } from './scene.ts';

/** What became of one request. Times are those of `performance.now()`. */
export interface Answer {
  readonly began: number;
  readonly ended: number;
  /** 0 when the connection failed. */
  readonly status: number;
  /** Of the problem, or of the connection's fault. */
  readonly code: string | undefined;
  /** Of the call, when it was answered with its record. */
  readonly id: string | undefined;
}

/** Clients that call one after another, half of them through the gateway, until they are told to stop. */
export interface Load {
  readonly answers: readonly Answer[];
  /** Requests that wait for their answer. */
  readonly inFlight: number;
  /** Resolves when the last answer is there. */
  stop(): Promise<void>;
}

const CLIENTS = 16;
const AFTER_REFUSAL_MS = 25;
let lastNumber = 0;

export function startLoad(scene: Pick<Scene, 'request' | 'token' | 'version'>, clients = CLIENTS): Load {
  const answers: Answer[] = [];
  let inFlight = 0;
  let isOver = false;
  const call = async (channel: 'direct' | 'gateway'): Promise<Answer> => {
    const began = performance.now();
    const path = channel === 'gateway' ? '/gateway/call' : '/algorithms/call';
    const body = { ...scene.version, input_data: { n: ++lastNumber, channel } };
    inFlight += 1;
    const outcome = await scene.request('POST', path, { token: scene.token, body }).then(
      (answer) => ({ status: answer.status, code: answer.body.code, id: idIn(answer) }),
      (error: Error) => ({ status: 0, code: faultOf(error), id: undefined }),
    );
    inFlight -= 1;
    return { began, ended: performance.now(), ...outcome };
  };
  const client = async (channel: 'direct' | 'gateway'): Promise<void> => {
    while (!isOver) {
      const answer = await call(channel);
      answers.push(answer);
      if (answer.status !== 200) await pause(AFTER_REFUSAL_MS);
    }
  };
  const running = Array.from({ length: clients }, (_, n) => client(n % 2 === 0 ? 'direct' : 'gateway'));
  return {
    answers,
    get inFlight() {
      return inFlight;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(running);
    },
  };
}

/** `fetch` wraps what the connection said. */
function faultOf({ cause, message }: Error): string {
  return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
}

function idIn({ status, body }: { status: number; body: { id?: string } }): string | undefined {
  return status === 200 ? body.id : undefined;
}

/** The ids of the calls that were answered with their record. */
export function acknowledged(answers: readonly Answer[]): string[] {
  return answers.flatMap(({ id }) => (id === undefined ? [] : [id]));
}

/** How often each status came. */
export function histogram(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers) {
    const name = code === undefined ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

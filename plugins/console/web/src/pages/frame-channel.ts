import type { PageContext, PageRequestOptions } from 'vitrine/contracts/console';
import { ApiError } from '../api/client.ts';
import { text } from '../texts/text.ts';
import { isAmong, request } from './request.ts';
import type { Shown } from './shown.ts';

const LOWEST = 40;
const HIGHEST = 10_000;

interface Host {
  readonly context: PageContext;
  /** All that the frame may ask for. */
  readonly operations: readonly string[];
  readonly shown: Shown | undefined;
  readonly ready: () => void;
  readonly resize: (height: number) => void;
}

/** The connection to the document in a frame. */
export interface Channel {
  /** Tells the frame the language and the theme again, and another value of a view. */
  change(shown: Shown | undefined): void;
  close(): void;
}

/** A message of the frame, as far as it is what it should be. */
interface FrameMessage {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly height?: unknown;
  readonly method?: unknown;
  readonly path?: unknown;
  readonly options?: unknown;
}

/** Gives the document in a frame a port, and answers what it asks through it. The protocol is in the guide for plugins. */
export function openChannel(frame: Window, host: Host): Channel {
  const { context } = host;
  const { port1: port, port2: given } = new MessageChannel();
  const about = (shown: Shown | undefined) => ({
    language: context.language,
    theme: context.theme,
    ...shown,
  });
  port.addEventListener('message', ({ data }) => void heard((data ?? {}) as FrameMessage, port, host));
  port.start();
  // The frame has an origin of its own, which no address names.
  frame.postMessage({ type: 'vitrine:start', ...about(host.shown) }, '*', [given]);
  return {
    change: (shown) => port.postMessage({ type: 'change', ...about(shown) }),
    close: () => port.close(),
  };
}

async function heard(message: FrameMessage, port: MessagePort, host: Host): Promise<void> {
  const { type, id, height, path } = message;
  if (type === 'ready') host.ready();
  if (type === 'resize' && typeof height === 'number' && height > 0) {
    host.resize(Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(height))));
  }
  if (type === 'navigate' && typeof path === 'string') host.context.navigate(path);
  if (type === 'request') port.postMessage({ type: 'answer', id, ...(await answerTo(message, host)) });
}

type Answer =
  | { readonly value: unknown }
  | { readonly error: { readonly status: number; readonly code: string; readonly message: string } };

async function answerTo({ method, path, options }: FrameMessage, { operations }: Host): Promise<Answer> {
  const [asked, place] = [String(method), String(path)];
  if (!isAmong(operations, asked, place)) {
    const message = text.pages.notOwn(`${asked} ${place}`.slice(0, 200));
    return { error: { status: 0, code: 'not_of_the_plugin', message } };
  }
  try {
    return { value: await request(asked, place, optionsOf(options)) };
  } catch (error) {
    const { message } = error as Error;
    return error instanceof ApiError
      ? { error: { status: error.status, code: error.code, message } }
      : { error: { status: 0, code: 'unreachable', message } };
  }
}

function optionsOf(options: unknown): PageRequestOptions {
  const { query, body } = (options ?? {}) as PageRequestOptions;
  return { ...(query && { query }), ...(body !== undefined && { body }) };
}

import type { PageContext } from 'vitrine/contracts/console';
import type { PlaceFault } from './place-fault.tsx';

/** How long code of a plugin may take until something is shown. */
export const START_MS = 10_000;

interface Mounting {
  readonly url: string;
  /** Where the files of the plugin are, by which its faults are known. */
  readonly filesUrl: string;
  readonly element: HTMLElement;
  readonly context: PageContext;
  /** Is told of every fault, and `undefined` once a slow start is over. */
  readonly tell: (fault: PlaceFault | undefined) => void;
}

/** Loads an ES module of a plugin and has it fill an element; the answer ends that. */
export function mountModule({ url, filesUrl, element, context, tell }: Mounting): () => void {
  let isOver = false;
  let unmount: unknown;
  const say = (fault: PlaceFault | undefined): void => void (isOver || tell(fault));
  const timer = setTimeout(() => say({ kind: 'slow' }), START_MS);
  const end = (ending: unknown): void => {
    if (typeof ending !== 'function') return;
    try {
      (ending as () => void)();
    } catch (error) {
      reportError(error);
    }
  };
  const start = async (): Promise<PlaceFault | undefined> => {
    const module = await loadModule(url);
    if ('fault' in module) return module.fault;
    if (typeof module.loaded['mount'] !== 'function') return { kind: 'no-mount' };
    if (isOver) return;
    unmount = await (module.loaded['mount'] as (...given: unknown[]) => unknown)(element, context);
    if (isOver) end(unmount);
    return undefined;
  };
  const unwatch = watch(filesUrl, (message) => say({ kind: 'thrown', message }));
  void start()
    .catch((error: unknown): PlaceFault => thrown(error))
    .then((fault) => {
      clearTimeout(timer);
      say(fault);
    });
  return () => {
    isOver = true;
    clearTimeout(timer);
    unwatch();
    end(unmount);
  };
}

type Loaded = { readonly loaded: Record<string, unknown> } | { readonly fault: PlaceFault };

/** How Chromium and Firefox, and how Safari say that a file could not be loaded. */
const NOT_LOADED = /dynamically imported module|importing a module/i;

async function loadModule(url: string): Promise<Loaded> {
  try {
    return { loaded: (await import(/* @vite-ignore */ url)) as Record<string, unknown> };
  } catch (error) {
    const isMissing = error instanceof TypeError && NOT_LOADED.test(error.message);
    return { fault: isMissing ? { kind: 'missing' } : thrown(error) };
  }
}

/** Tells of what code of the plugin throws later, such as in a listener or while React draws. */
function watch(filesUrl: string, tell: (message: string) => void): () => void {
  const heard = (error: unknown): void => {
    if (error instanceof Error && error.stack?.includes(filesUrl)) tell(messageOf(error));
  };
  const onError = ({ error }: ErrorEvent): void => heard(error);
  const onRejection = ({ reason }: PromiseRejectionEvent): void => heard(reason);
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
  return () => {
    removeEventListener('error', onError);
    removeEventListener('unhandledrejection', onRejection);
  };
}

const thrown = (error: unknown): PlaceFault => ({ kind: 'thrown', message: messageOf(error) });

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

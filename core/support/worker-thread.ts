import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** tsx as an ES module. Found through `require`, for `import.meta.resolve` is missing where mocha loads the tests. */
function tsxModule(): string {
  const commonJs = createRequire(import.meta.url).resolve('tsx/esm/api');
  return new URL('./index.mjs', pathToFileURL(commonJs)).href;
}

/** Registers tsx in a new thread and loads the entry: `--import tsx` alone does not reach worker threads on Node 20. */
function viaTsx(entry: string): URL {
  const source = `import { register } from ${JSON.stringify(tsxModule())}; register(); await import(${JSON.stringify(entry)});`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

/** A module beside the caller's, named without extension: it is `.js` when the caller runs compiled and `.ts` when it runs from source. */
export function workerModule(module: string, callerUrl: string): URL {
  return new URL(`${module}${callerUrl.endsWith('.ts') ? '.ts' : '.js'}`, callerUrl);
}

/**
 * Starts a worker thread from a module beside the caller's: `startWorkerThread('./hash-worker', import.meta.url)`.
 * Name the entry without extension, and so that it ends with `-worker`: the build finds it by that.
 */
export function startWorkerThread(entry: string, callerUrl: string, options: WorkerOptions = {}): Worker {
  const url = workerModule(entry, callerUrl);
  const needsTsx =
    url.pathname.endsWith('.ts') && !('typescript' in process.features && process.features.typescript);
  return new Worker(needsTsx ? viaTsx(url.href) : url, { execArgv: [], ...options });
}

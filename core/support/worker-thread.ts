import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The entry of a thread, in the form that `piscina` and Node's `Worker` accept. */
export interface WorkerEntry {
  readonly filename: string;
  /** Node options of the thread. */
  readonly execArgv: string[];
}

/**
 * The entry of a worker thread beside the caller's module: `workerEntry('./schema-worker', import.meta.url)`. The name has
 * no extension, because the extension is `.js` after the build, and ends with `-worker`, by which the build finds it.
 */
export function workerEntry(entry: string, callerUrl: string): WorkerEntry {
  const isSource = callerUrl.endsWith('.ts');
  const filename = fileURLToPath(new URL(`${entry}${isSource ? '.ts' : '.js'}`, callerUrl));
  const readsTypeScript = 'typescript' in process.features && process.features.typescript;
  return { filename, execArgv: isSource && !readsTypeScript ? ['--import', tsxLoader()] : [] };
}

/** Registers tsx in the thread: `--import tsx` alone does not reach worker threads on Node 20. */
function tsxLoader(): string {
  const commonJs = createRequire(import.meta.url).resolve('tsx/esm/api');
  const tsx = new URL('./index.mjs', pathToFileURL(commonJs)).href;
  const source = `import { register } from ${JSON.stringify(tsx)}; register();`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

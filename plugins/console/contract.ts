/** What goes with a request of a page. */
export interface PageRequestOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * What a page of a plugin works with. Its module has
 * `export function mount(element: HTMLElement, context: PageContext): void | (() => void)`; the function that it may answer
 * is called when the page is left.
 */
export interface PageContext {
  /**
   * Asks the API with the session of the reader and answers what it answers: `request('GET', '/call-notes')`. What the
   * service refuses becomes an `Error` with its `status`, `code` and `message`.
   */
  request<T>(method: string, path: string, options?: PageRequestOptions): Promise<T>;
  /** Goes to an address of the console: `/history`. */
  navigate(path: string): void;
  /** The language of the reader now: `en`. */
  readonly language: string;
  readonly theme: 'light' | 'dark';
  /** Calls a function after the language or the theme changed; the answer ends that. */
  onChange(listener: () => void): () => void;
  /** The address of the console, with a slash at its end. */
  readonly consoleUrl: string;
  /** The address of the API, without one. */
  readonly apiUrl: string;
  /** The address of the plugin's `webFiles`, with one. */
  readonly filesUrl: string;
}

/** What a view works with: the page's context, and a part of the result of a call. */
export interface ViewContext extends PageContext {
  readonly value: unknown;
  /** The schema of the value, with its `x-view`. */
  readonly schema: unknown;
  /** What the algorithm was called with, where that is known. */
  readonly input: unknown;
}

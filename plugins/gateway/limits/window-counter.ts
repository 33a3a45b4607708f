/** How often something was asked for in the window that is running. */
export interface WindowCount {
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly endsInMs: number;
}

/** Counts requests in fixed windows; a window begins with the first request. Shared by those who share its store. */
export interface WindowCounter {
  /** The names of the stores that did not answer when they were asked last; one that is not asked any more is none. */
  readonly away: readonly string[];
  /** Counts further requests and answers how many there are now. */
  add(key: string, requests: number, windowS: number): Promise<WindowCount>;
  /** `undefined` while no window is running. */
  read(key: string, windowS: number): Promise<WindowCount | undefined>;
}

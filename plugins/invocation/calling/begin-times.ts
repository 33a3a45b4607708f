/**
 * When those began that are under way, in places that are used again. A `Set` of them makes itself a new table every few
 * calls, and once an old one is in V8's old generation it keeps all later ones alive until a full collection.
 */
export class BeginTimes {
  /** `Infinity` where nobody is. */
  readonly #times: number[] = [];
  readonly #free: number[] = [];

  /** How many are under way. */
  get count(): number {
    return this.#times.length - this.#free.length;
  }

  /** `Infinity` when nobody is under way. */
  get oldest(): number {
    return this.#times.reduce((oldest, time) => Math.min(oldest, time), Infinity);
  }

  /** Answers the place to give back. */
  enter(time: number): number {
    const place = this.#free.pop() ?? this.#times.length;
    this.#times[place] = time;
    return place;
  }

  leave(place: number): void {
    this.#times[place] = Infinity;
    this.#free.push(place);
  }
}

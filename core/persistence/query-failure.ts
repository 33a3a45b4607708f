/**
 * Carries an error past knex, which writes the statement with all its values into the message of what it catches:
 * they belong neither into an answer nor into a log.
 */
export class QueryFailure extends Error {
  constructor(cause: unknown) {
    super('', { cause });
    this.name = 'QueryFailure';
  }
}

/** What really happened. */
export function unwrapped(error: unknown): unknown {
  return error instanceof QueryFailure ? error.cause : error;
}

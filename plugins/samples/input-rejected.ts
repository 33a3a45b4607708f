/**
 * Thrown by an algorithm for input that it cannot work on although the schema admits it: a singular matrix, an empty
 * text, a picture that cannot be decoded. The sentence reaches the caller, so it names the value and the way out.
 * Recognised by its name, so that a plugin outside need not import it into the worker.
 */
export class InputRejected extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'InputRejected';
  }
}

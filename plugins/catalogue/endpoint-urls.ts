import { Problem, ValidationFailed, type Egress } from '../../core/index.ts';
import type { EndpointScheme } from './contract.ts';

const POINTER = '/body/url';
const LONGEST = 2_048;

function refuse(message: string): never {
  throw ValidationFailed('The url cannot be used as an endpoint.', {
    errors: [{ pointer: POINTER, message }],
  });
}

/** Checks the URL of a version when it is saved, by the egress guard or by the plugin of its scheme. */
export class EndpointUrls {
  readonly #egress: Egress;
  readonly #schemes: readonly EndpointScheme[];

  constructor(deps: { egress: Egress; schemes: readonly EndpointScheme[] }) {
    this.#egress = deps.egress;
    this.#schemes = deps.schemes;
  }

  /** Throws `ValidationFailed` or `EgressDenied`, both with the pointer of the field. */
  check(text: string): void {
    const url = this.#parse(text);
    const scheme = url.protocol.slice(0, -1);
    try {
      if (scheme === 'http' || scheme === 'https') this.#egress.check(text, 'endpoint');
      else this.#schemeOf(scheme).check(url);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { errors = [{ pointer: POINTER, message: error.message }] } = error.extras;
      throw new Problem(error.type, error.message, { ...error.extras, errors });
    }
  }

  #parse(text: string): URL {
    if (text.length > LONGEST) refuse(`must be at most ${LONGEST} characters long.`);
    // The parser drops such characters silently, so the called URL would differ from the shown one.
    if (/[\s\p{Cc}]/u.test(text)) refuse('must not contain white space or control characters.');
    if (!URL.canParse(text))
      refuse('must be an absolute URL, for example https://models.example.org/detect.');
    const url = new URL(text);
    if (url.username !== '' || url.password !== '') refuse('must not contain a user name or password.');
    return url;
  }

  #schemeOf(scheme: string): EndpointScheme {
    const known = this.#schemes.find(({ schemes }) => schemes.includes(scheme));
    if (known !== undefined) return known;
    const names = ['http', 'https', ...this.#schemes.flatMap(({ schemes }) => schemes)];
    return refuse(
      `has the scheme "${scheme}", which nothing here can call; known are ${[...new Set(names)].join(', ')}.`,
    );
  }
}

import { expect } from 'chai';
import { onEveryEngine, type TestRequest, type TestResponse } from '../../../core/testing.ts';
import type { Engine } from '../../../core/index.ts';
import { patientWithSchemas } from '../../plugins/catalogue/support/schema-limits.ts';
import { startUpstream, type Upstream } from '../../support/upstream.ts';
import { startVitrine, type SignedIn, type Vitrine, type VitrineOptions } from '../../support/vitrine.ts';
import { ApiDocument } from './api-document.ts';
import { generalFaults } from './every-answer.ts';

type Body = TestResponse['body'];

export interface Ask extends TestRequest {
  /** Whose token is sent; they sign up when they first ask. `admin` is the administrator. */
  readonly as?: string;
}

/** An identifier of the right shape that nothing has. */
export const UNKNOWN_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
export const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A running service as its API client knows it: every answer is held against the OpenAPI document. */
export class Api {
  vitrine!: Vitrine;
  upstream!: Upstream;
  document!: ApiDocument;
  readonly #people = new Map<string, Promise<SignedIn>>();
  #made = 0;

  async open(engine: Engine, options: VitrineOptions): Promise<void> {
    this.upstream = await startUpstream();
    const services = [patientWithSchemas, ...(options.services ?? [])];
    this.vitrine = await startVitrine(engine, { ...options, services });
    this.document = new ApiDocument((await this.vitrine.request('GET', '/openapi.json')).body);
  }

  async close(): Promise<void> {
    await this.vitrine?.stop();
    await this.upstream.stop();
  }

  person(name: string): Promise<SignedIn> {
    const known =
      this.#people.get(name) ?? (name === 'admin' ? this.vitrine.admin() : this.vitrine.user(name));
    this.#people.set(name, known);
    return known;
  }

  /** One request; throws when the answer is not what the document says, or breaks a rule that all answers keep. */
  async ask(method: string, path: string, { as, ...request }: Ask = {}): Promise<TestResponse> {
    const token = as === undefined ? request.token : (await this.person(as)).token;
    const answer = await this.vitrine.request(
      method,
      path,
      token === undefined ? request : { ...request, token },
    );
    const faults = [
      ...(method === 'HEAD' ? [] : this.document.deviations(method, path, answer)),
      ...generalFaults(method, path, token !== undefined, answer),
    ];
    if (faults.length > 0) {
      throw new Error(
        `${method} ${path}: ${faults.join('; ')}\n${answer.status} ${JSON.stringify(answer.body)}`,
      );
    }
    return answer;
  }

  /** The body of an answer that must be 200. */
  async ok(method: string, path: string, ask?: Ask): Promise<Body> {
    const { status, body } = await this.ask(method, path, ask);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }

  /** The problem of an answer that must have this status. */
  async refused(status: number, method: string, path: string, ask?: Ask): Promise<Body> {
    const answer = await this.ask(method, path, ask);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(status);
    return answer.body;
  }

  /** The pointers of an answer that must be 422. */
  async pointers(method: string, path: string, ask?: Ask): Promise<string[]> {
    const { errors = [] } = await this.refused(422, method, path, ask);
    return (errors as { pointer: string }[]).map(({ pointer }) => pointer);
  }

  async algorithm(fields: object = {}): Promise<Body> {
    this.#made += 1;
    const body = { name: `algorithm ${this.#made}`, description: 'counts', type: 'ml', ...fields };
    return this.ok('POST', '/algorithms', { as: 'admin', body });
  }

  async version(algorithmId: string, fields: object = {}): Promise<Body> {
    this.#made += 1;
    const body = { version: `1.0.${this.#made}`, url: this.upstream.url, ...fields };
    return this.ok('POST', `/algorithms/${algorithmId}/versions`, { as: 'admin', body });
  }

  /** An algorithm with one version, in the words of a call. */
  async callable(version: object = {}, algorithm: object = {}) {
    const { id: algorithm_id } = await this.algorithm(algorithm);
    const { id: version_id } = await this.version(algorithm_id, version);
    return { algorithm_id: algorithm_id as string, version_id: version_id as string, input_data: { n: 1 } };
  }

  call(as: string, body: object, path = '/algorithms/call'): Promise<Body> {
    return this.ok('POST', path, { as, body });
  }
}

/** A specification of one area, on a service of its own for each engine. */
export function conformance(
  title: string,
  tests: (api: Api) => void,
  options: () => VitrineOptions = () => ({}),
) {
  describe(`conformance: ${title}`, () => {
    onEveryEngine((engine) => {
      const api = new Api();
      before(() => api.open(engine, options()));
      after(() => api.close());
      tests(api);
    });
  });
}

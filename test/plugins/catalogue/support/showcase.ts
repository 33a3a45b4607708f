import type { Engine } from '../../../../core/index.ts';
import type { TestResponse } from '../../../../core/testing.ts';
import { startVitrine, type SignedIn, type Vitrine, type VitrineOptions } from '../../../support/vitrine.ts';
import { patientWithSchemas } from './schema-limits.ts';

/** A service with accounts, keys, catalogue and grants, and short words for what the tests do with it. */
export interface Showcase {
  readonly service: Vitrine;
  readonly admin: SignedIn;
  as(
    who: Pick<SignedIn, 'token'> | undefined,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<TestResponse>;
  /** Creates an algorithm and answers its id. */
  algorithm(fields?: object): Promise<string>;
  /** Adds a version and answers it. */
  version(algorithmId: string, fields?: object): Promise<TestResponse['body']>;
  /** A key of somebody, with all scopes or only with these. */
  keyOf(who: SignedIn, scopes?: readonly string[]): Promise<Pick<SignedIn, 'token'>>;
}

export const PLUGINS = ['users', 'api-keys', 'catalogue', 'permissions'];
export const NEW_ALGORITHM = { name: 'Edges', description: 'Finds edges', type: 'computer_vision' };
export const NEW_VERSION = { version: '1.0', url: 'https://models.example.org/edges' };

let labels = 0;

function worked({ status, body }: TestResponse): TestResponse['body'] {
  if (status !== 200) throw new Error(`It answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

export async function openShowcase(engine: Engine, options: VitrineOptions = {}): Promise<Showcase> {
  const services = [patientWithSchemas, ...(options.services ?? [])];
  const service = await startVitrine(engine, { plugins: PLUGINS, ...options, services });
  const admin = await service.admin();
  const as: Showcase['as'] = (who, method, path, body) =>
    service.request(method, path, {
      ...(who === undefined ? {} : { token: who.token }),
      ...(body === undefined ? {} : { body }),
    });
  return {
    service,
    admin,
    as,
    algorithm: async (fields = {}) =>
      worked(await as(admin, 'POST', '/algorithms', { ...NEW_ALGORITHM, ...fields })).id,
    version: async (algorithmId, fields = {}) => {
      const body = { ...NEW_VERSION, version: `v${++labels}`, ...fields };
      return worked(await as(admin, 'POST', `/algorithms/${algorithmId}/versions`, body));
    },
    keyOf: async (who, scopes) => {
      const body = { name: 'test', expires_at: '2099-01-01T00:00:00Z', ...(scopes && { scopes }) };
      return { token: worked(await as(who, 'POST', '/api-keys', body)).key };
    },
  };
}

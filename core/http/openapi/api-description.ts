import { token } from '../../di/token.ts';

/** The OpenAPI 3.1 document of the enabled plugins, generated from the schemas that validate requests. */
export interface ApiDescription {
  document(): Readonly<Record<string, unknown>>;
  /** The path prefix of every operation: `/api/v1`. */
  readonly basePath: string;
  /** The path prefix of pages: what the base path has before its `/api/v1`. */
  readonly rootPath: string;
  /**
   * The address of the service with a slash at its end, as `RequestInfo.publicUrl` has it: `PUBLIC_URL` and the prefix of
   * pages. `undefined` without that setting, since only a request tells the address then.
   */
  readonly publicUrl: URL | undefined;
}

/** The description of the API of all enabled plugins. */
export const API_DESCRIPTION = token<ApiDescription>('core:api-description');

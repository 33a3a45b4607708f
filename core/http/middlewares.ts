import type { Middleware } from 'koa';
import { extensionPoint } from '../di/token.ts';

/** A Koa middleware of a plugin. */
export interface HttpMiddleware {
  /**
   * Its position in the steps of every request: before requests are counted and refused under overload, or after that
   * and before the route is looked up. No user is authenticated yet. What it throws becomes a problem document.
   */
  readonly before: 'admission' | 'routing';
  readonly middleware: Middleware;
}

/** Koa middlewares of plugins, those with a lower `order` around those with a higher one. */
export const HTTP_MIDDLEWARES = extensionPoint<HttpMiddleware>('core:http-middlewares', {
  methods: ['middleware'],
  faultOf: ({ before }) =>
    before === 'admission' || before === 'routing'
      ? undefined
      : `has before: ${JSON.stringify(before)}; it must be "admission" or "routing"`,
});

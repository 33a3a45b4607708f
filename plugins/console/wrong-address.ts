import { API_DESCRIPTION, contribute, HTTP_MIDDLEWARES, RouteNotFound } from '../../core/index.ts';
import { CONSOLE } from './console.ts';

/** Answers a browser that goes to an address which does not exist with the page; programs get the problem document. */
export const wrongAddress = contribute(HTTP_MIDDLEWARES, {
  deps: { site: CONSOLE, api: API_DESCRIPTION },
  create: ({ site, api: { basePath, rootPath } }) => ({
    before: 'routing',
    middleware: (ctx, next) => {
      const isOutside = ctx.path.startsWith(`${basePath}/`) || !ctx.path.startsWith(`${rootPath}/`);
      if (isOutside || ctx.method !== 'GET' || !ctx.get('accept').includes('text/html')) return next();
      return next().catch(async (error: unknown) => {
        if (!RouteNotFound.is(error)) throw error;
        const { status, headers, bytes } = await site.missingPage(ctx.path);
        ctx.status = status;
        ctx.set(headers);
        ctx.body = bytes;
      });
    },
  }),
});

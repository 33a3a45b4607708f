import { routesWith } from '../../../core/http/routing/route.ts';
import { jsonObject } from '../../../core/http/validation/schemas.ts';

const route = routesWith({});

type Handle = () => Promise<Record<string, unknown>>;

/** Is in flight for as long as the handler takes. */
export const holding = (handle: Handle) =>
  route({
    method: 'GET',
    path: '/hold',
    operationId: 'hold',
    summary: 'Waits',
    access: 'public',
    answers: jsonObject(),
    handle,
  });

/** Is answered under overload too. */
export const probing = (operationId: string, handle: Handle) =>
  route({
    method: 'GET',
    path: `/${operationId}`,
    operationId,
    summary: 'Tells that it lives',
    access: 'anonymous',
    probe: true,
    answers: jsonObject(),
    handle,
  });

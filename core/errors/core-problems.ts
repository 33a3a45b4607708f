import { problem } from './problem.ts';

export const MalformedRequest = problem({
  code: 'malformed_request',
  status: 400,
  title: 'The request is malformed',
  description:
    'The request line, headers or body framing break the rules of HTTP, and the connection was closed.',
});

export const MalformedJson = problem({
  code: 'malformed_json',
  status: 400,
  title: 'The body is not JSON',
  description: 'The request body cannot be parsed as JSON in UTF-8. Send one JSON value.',
});

export const MalformedForm = problem({
  code: 'malformed_form',
  status: 400,
  title: 'The body is not a form',
  description:
    'The request body cannot be read as `multipart/form-data`. Send every part whole, and the boundary that the header names.',
});

export const TooDeep = problem({
  code: 'too_deep',
  status: 400,
  title: 'The body is too deep',
  description: 'JSON is accepted at most 64 levels deep. Flatten it.',
});

export const TooManyParts = problem({
  code: 'too_many_parts',
  status: 400,
  title: 'The body has too many parts',
  description:
    'JSON may have an array or object and a key for every 8 bytes of the limit of the body, a string for every 4, and 100 000 keys in one object. Send less at once, or values as arrays of numbers, which are free.',
});

export const ForbiddenKey = problem({
  code: 'forbidden_key',
  status: 400,
  title: 'The body has a forbidden key',
  description:
    'The keys `__proto__` and `constructor.prototype`, and a key given twice, are refused wherever they stand.',
});

export const Unauthenticated = problem({
  code: 'unauthenticated',
  status: 401,
  title: 'Sign in first',
  description: 'The operation needs a bearer token or an API key and none was sent.',
});

export const InvalidCredentials = problem({
  code: 'invalid_credentials',
  status: 401,
  title: 'The credentials are not valid',
  description: 'The token, key or password is unknown, expired, revoked, or belongs to a disabled account.',
});

export const Forbidden = problem({
  code: 'forbidden',
  status: 403,
  title: 'Not allowed',
  description:
    'You are known, but may not do this. An administrator, or a user who manages the resource, can allow it.',
});

export const InsufficientScope = problem({
  code: 'insufficient_scope',
  status: 403,
  title: 'The API key has another scope',
  description:
    'The key was created for something else than this. The sentence names the scope that is needed; create a key with it.',
});

export const OriginRefused = problem({
  code: 'origin_refused',
  status: 403,
  title: 'The page has another origin',
  description:
    'A session cookie may change something only from pages of the service itself: `Origin` is its own, or `Sec-Fetch-Site` is `same-origin`. Programs send a bearer token or an API key. Operators set `PUBLIC_URL` to the address that browsers use.',
});

export const RouteNotFound = problem({
  code: 'route_not_found',
  status: 404,
  title: 'No such operation',
  description: 'No enabled plugin serves this path. The OpenAPI document lists what there is.',
});

export const MethodNotAllowed = problem({
  code: 'method_not_allowed',
  status: 405,
  title: 'The path does not support this method',
  description: 'The `Allow` header lists the methods that the path supports.',
});

export const RequestTimeout = problem({
  code: 'request_timeout',
  status: 408,
  title: 'The request took too long to arrive',
  description: 'Headers or body arrived too slowly, and the connection was closed. Send the request again.',
});

export const PayloadTooLarge = problem({
  code: 'payload_too_large',
  status: 413,
  title: 'The body is too large',
  description: 'The body exceeds the limit of this operation. The sentence names the limit.',
});

export const UnsupportedMediaType = problem({
  code: 'unsupported_media_type',
  status: 415,
  title: 'The media type is not supported',
  description:
    'Bodies are `application/json` in UTF-8, without `Content-Encoding`; `multipart/form-data` where an operation takes files.',
});

export const ValidationFailed = problem({
  code: 'validation_failed',
  status: 422,
  title: 'A value breaks its schema',
  description:
    'A field, query or path value is missing or wrong. `errors` names each with a pointer and a sentence.',
});

export const EgressDenied = problem({
  code: 'egress_denied',
  status: 422,
  title: 'The address is not allowed',
  description:
    'The URL is not allowed by the egress policy. Use a permitted address, or ask the operator about `EGRESS_ALLOW`.',
});

export const HeadersTooLarge = problem({
  code: 'headers_too_large',
  status: 431,
  title: 'The headers are too large',
  description: 'The headers of the request exceed 16 KiB together. Send fewer or shorter ones.',
});

export const InternalError = problem({
  code: 'internal_error',
  status: 500,
  title: 'Something went wrong here',
  description: 'An unexpected fault. The log has the details under the `request_id`.',
});

export const NotReady = problem({
  code: 'not_ready',
  status: 503,
  title: 'Not ready',
  description: 'The service is starting or stopping. Try again after `Retry-After` seconds.',
});

export const Overloaded = problem({
  code: 'overloaded',
  status: 503,
  title: 'Too many requests in flight',
  description: 'The service sheds load to stay fast. Try again after `Retry-After` seconds.',
});

export const StoreUnavailable = problem({
  code: 'store_unavailable',
  status: 503,
  title: 'The database is not available',
  description:
    'The database cannot be reached or cannot write. Nothing was changed. Try again after `Retry-After` seconds.',
});

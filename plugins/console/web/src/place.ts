/** Where the console is served: `/`, or the prefix that a proxy gives it. The server tells it by `<base>`. */
export const rootPath = new URL(document.baseURI).pathname;

/** The query of the address to which the browser came, as it was sent: the router writes it anew. */
export const arrivedQuery = location.search.slice(1);

const apiPath = document.querySelector<HTMLMetaElement>('meta[name="vitrine-api"]')?.content ?? 'api/v1';

/** The address of the API without a slash at its end: `https://showcase.example.org/api/v1`. */
export const apiUrl = new URL(apiPath, document.baseURI).href;

/** The address of the API pages. */
export const docsUrl = new URL('docs', document.baseURI).href;

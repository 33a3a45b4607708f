import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an algorithm endpoint was asked. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Parsed JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on what it reads
  readonly body: any;
}

/** An algorithm endpoint under a test's control, over real HTTP. */
export interface Upstream {
  readonly url: string;
  readonly requests: UpstreamRequest[];
  stop(): Promise<void>;
}

type Answer = (request: UpstreamRequest, response: ServerResponse) => unknown;

/** Starts an endpoint; what the handler returns is answered as JSON, unless it wrote the response itself. */
export async function startUpstream(answer: Answer = ({ body }) => ({ echo: body })): Promise<Upstream> {
  const requests: UpstreamRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const request = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      requests.push(request);
      void Promise.resolve(answer(request, response)).then((value) => {
        if (value === undefined || response.headersSent || response.writableEnded) return;
        response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

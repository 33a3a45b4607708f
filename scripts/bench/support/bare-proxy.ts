import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Pool } from 'undici';

/** Resolves when what was asked and answered may be told. */
export type MakeDurable = (body: Buffer, answer: Buffer) => Promise<void>;

/** The least that a proxy in Node can do with undici: read the body, ask, record it if it is to, answer. */
export function bareProxy(upstreamPort: string, makeDurable?: MakeDurable): Server {
  const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { connections: 50 });

  const forward = async (path: string, body: Buffer, response: ServerResponse): Promise<void> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path, headers, body });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    if (makeDurable) await makeDurable(body, bytes);
    response
      .writeHead(answer.statusCode, { 'content-type': 'application/json', 'content-length': bytes.length })
      .end(bytes);
  };

  return createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      forward(request.url ?? '/', Buffer.concat(chunks), response).catch(() => response.writeHead(502).end());
    });
  });
}

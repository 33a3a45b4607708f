/** The least that a proxy in Node can do with undici: read the body, ask, answer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pool } from 'undici';
import { listen } from '../support/told-port.ts';

const pool = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 50 });

async function forward(path: string, body: Buffer, response: ServerResponse): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await pool.request({ method: 'POST', path, headers, body });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  response
    .writeHead(answer.statusCode, { 'content-type': 'application/json', 'content-length': bytes.length })
    .end(bytes);
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    forward(request.url ?? '/', Buffer.concat(chunks), response).catch(() => response.writeHead(502).end());
  });
}

listen(createServer(serve));

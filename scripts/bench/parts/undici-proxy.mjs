/** The least that a Node process can do to forward a call: an undici pool behind `node:http`. */
import { createServer } from 'node:http';
import { Pool } from 'undici';

const upstream = new Pool(`http://127.0.0.1:${process.argv[2]}`, { connections: 50 });
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    const { statusCode, headers, body } = await upstream.request({
      path: '/',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    response.writeHead(statusCode, {
      'content-type': headers['content-type'],
      'content-length': bytes.length,
    });
    response.end(bytes);
  });
});
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`));

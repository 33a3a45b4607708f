/** The peer of the targets: @fastify/http-proxy with its defaults. */
import proxy from '@fastify/http-proxy';
import Fastify from 'fastify';

const app = Fastify();
await app.register(proxy, { upstream: `http://127.0.0.1:${process.argv[2]}` });
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(`port ${app.server.address().port}`);

/** The peer of the call: @fastify/http-proxy as its documentation shows it. */
import fastify from 'fastify';
import httpProxy from '@fastify/http-proxy';
import { listenAndTell } from '../support/told-port.ts';

const app = fastify();
await app.register(httpProxy, { upstream: `http://127.0.0.1:${process.argv[2]}` });
await app.ready();
listenAndTell(app.server);

/** The peer that targets are measured against: @fastify/http-proxy as its documentation shows it. */
import fastify from 'fastify';
import httpProxy from '@fastify/http-proxy';
import type { AddressInfo } from 'node:net';
import { tellPort } from '../support/told-port.ts';

const app = fastify();
await app.register(httpProxy, { upstream: `http://127.0.0.1:${process.argv[2]}` });
await app.listen({ host: '127.0.0.1', port: 0 });
tellPort((app.server.address() as AddressInfo).port);

/** The peer of the list: a bare Koa server that answers the bytes of a file to every request. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import Koa from 'koa';
import { listenAndTell } from '../support/told-port.ts';

const bytes = readFileSync(process.argv[2]!);
const app = new Koa();
app.use((ctx) => {
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = bytes;
});
const answer = app.callback();
listenAndTell(createServer((request, response) => void answer(request, response)));

/**
 * Measures a recorded call against forwarding alone: `node scripts/bench/call.mjs [seconds] [rounds]`.
 * Needs the built service. What is measured has the first core, load and endpoint the second.
 */
import { interleave, report } from './parts/figures.mjs';
import { load, post } from './parts/load.mjs';
import { postgresForBench } from './parts/postgres.mjs';
import { cores, pinSelf, start, stopAll } from './parts/processes.mjs';
import { startService } from './parts/service.mjs';

const [seconds = 4, rounds = 5] = process.argv.slice(2).map(Number);
const input_data = { image: 'x'.repeat(200), threshold: 0.5 };
const plain = post('/', { input_data, params: {} });

/** A call of the service, as a candidate. */
async function serviceOn(engine, upstream, databaseUrl) {
  const { port, token, algorithm_id, version_id } = await startService({
    databaseUrl,
    upstreamPort: upstream.port,
  });
  const request = post(
    '/api/v1/algorithms/call',
    { algorithm_id, version_id, input_data },
    { authorization: `Bearer ${token}` },
  );
  return { name: `vitrine on ${engine}`, port, request };
}

async function forwarding(name, file, upstream) {
  const { port } = await start(file, { args: [upstream.port] });
  return { name, port, request: plain };
}

async function measure(postgres) {
  const upstream = await start('./upstream.mjs', { core: 'rest' });
  const candidates = [
    await forwarding('undici', './undici-proxy.mjs', upstream),
    await forwarding('fastify', './fastify-proxy.mjs', upstream),
    await serviceOn('SQLite', upstream),
    ...(postgres ? [await serviceOn('PostgreSQL', upstream, postgres.url)] : []),
  ];
  const loadWith = (connections) => (candidate) => load({ ...candidate, connections, seconds });
  const pinned = cores ? 'pinned to cores' : 'not pinned';
  console.log(`Node ${process.version}, ${pinned}, ${rounds} rounds of ${seconds} s`);
  for (const candidate of candidates) await load({ ...candidate, connections: 50, seconds: 2 });
  console.log('\n50 connections');
  report(await interleave(candidates, rounds, loadWith(50)), ['fastify', 'undici']);
  console.log('\nA lone caller, beside the endpoint asked directly');
  const direct = { name: 'direct', port: upstream.port, request: plain };
  report(await interleave([direct, ...candidates], rounds, loadWith(1)), []);
}

pinSelf();
const postgres = await postgresForBench();
try {
  await measure(postgres);
} finally {
  await stopAll();
  await postgres?.drop();
}

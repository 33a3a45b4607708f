import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { packageRoot } from '../../core/support/package-root.ts';
import { makeScratch } from '../../core/testing.ts';
import { freePort } from './free-port.ts';
import { startService, type Finished, type ServiceProcess } from './service-process.ts';

const INSTANCES = 3;

export const clusterAdmin = { username: 'ada', password: 'correct horse battery' };

/** Three service processes on one PostgreSQL with `config/production.yaml`, each on a port that it keeps. */
export interface Cluster {
  /** host:port of each. */
  readonly addresses: readonly string[];
  /** Stops one with SIGTERM, starts it anew, and answers how it ended. */
  restart(index: number): Promise<Finished>;
  /** Kills all of them and throws their data away. */
  remove(): Promise<void>;
}

/** Starts all at the same time on an empty database, each with a data directory of its own. */
export async function startCluster(env: Readonly<Record<string, string>>): Promise<Cluster> {
  const scratch = await makeScratch('postgres');
  const ports = await Promise.all(Array.from({ length: INSTANCES }, freePort));
  const shared = { JWT_SECRET: newSecret(), SECRET_KEY: newSecret() };
  const start = (port: number): Promise<ServiceProcess> =>
    startService({
      VITRINE_CONFIG: join(packageRoot, 'config', 'production.yaml'),
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: scratch.databaseUrl,
      DATA_DIR: join(scratch.dataDir, String(port)),
      ...shared,
      ADMIN_USERNAME: clusterAdmin.username,
      ADMIN_PASSWORD: clusterAdmin.password,
      SAMPLES_SEED: 'false',
      // Tests register the accounts that call.
      USERS_REGISTRATION: 'true',
      ...env,
    });
  const started = await Promise.allSettled(ports.map(start));
  const services = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const remove = async (): Promise<void> => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await scratch.remove();
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (failed) {
    await remove();
    throw failed.reason;
  }
  return {
    addresses: ports.map((port) => `127.0.0.1:${port}`),
    restart: async (index) => {
      const ended = await services[index]!.end('SIGTERM');
      services[index] = await start(ports[index]!);
      return ended;
    },
    remove,
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

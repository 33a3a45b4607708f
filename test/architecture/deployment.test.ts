import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { makePlan } from '../../core/kernel/plan.ts';
import { packageRoot } from '../../core/support/package-root.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

interface Service {
  readonly profiles?: readonly string[];
  readonly ports?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
}

describe('the image and the compose file', () => {
  const compose = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const dockerfile = read('Dockerfile');

  it('start one instance on SQLite when no profile is named', () => {
    const always = Object.entries(compose.services).filter(([, { profiles }]) => !profiles);
    expect(always.map(([name]) => name)).to.deep.equal(['vitrine']);
  });

  it('start closed: on this machine alone, without registration and without a password that everyone knows', () => {
    const ours = Object.entries(compose.services).filter(([name]) => name.startsWith('vitrine'));
    expect(ours).to.have.length(2);
    for (const [name, { ports, environment }] of ours) {
      expect(ports, name).to.deep.equal(['${HTTP_ADDRESS:-127.0.0.1}:${HTTP_PORT:-3000}:3000']);
      expect(environment, name).to.include({
        USERS_REGISTRATION: '${USERS_REGISTRATION:-false}',
        USERS_FIRST_IS_ADMIN: '${USERS_FIRST_IS_ADMIN:-false}',
      });
    }
    const defaults = [...read('compose.yaml').matchAll(/\$\{POSTGRES_PASSWORD([^}]*)\}/g)];
    expect(defaults.map(([, given]) => given)).to.deep.equal([':-', ':-']);
    expect(read('compose.yaml')).not.to.match(/(PASSWORD|SECRET)\w*: *['"]?[a-z0-9]/i);
    const production = parse(read('config/production.yaml')) as { users: object };
    expect(production.users).to.include({ registration: false, first_is_admin: false });
  });

  it('read no variable from .env, which the service is given as well, that it takes for a misspelt setting', async () => {
    const files = ['compose.yaml', 'deploy/compose/compose.yaml'].map(read).join('\n');
    const names = new Set([...files.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name!));
    const settings = (await makePlan({ env: {}, cwd: packageRoot })).configuration.entries();
    for (const { env } of settings) names.delete(env);
    expect([...names]).to.include.members(['POSTGRES_PASSWORD', 'HTTP_PORT']);
    const env = Object.fromEntries([...names].map((name) => [name, '8080']));
    expect((await makePlan({ env, cwd: packageRoot })).misnamed).to.deep.equal([]);
  });

  it('wait for the database in the postgres profile', () => {
    const service = compose.services['vitrine-postgres'];
    expect(service?.environment?.['DATABASE_URL']).to.match(/^postgres:\/\/.*@postgres:5432\//);
    expect(service?.depends_on).to.deep.equal({ postgres: { condition: 'service_healthy' } });
  });

  it('declare every volume that they mount', () => {
    const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) => volumes);
    expect(new Set(mounted.map((volume) => volume.split(':')[0]))).to.deep.equal(
      new Set(Object.keys(compose.volumes)),
    );
  });

  it('copy what is there and what .dockerignore lets through', () => {
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
      paths!.split(' '),
    );
    const allowed = read('.dockerignore').split('\n');
    expect(copied).to.include('package-lock.json');
    for (const path of copied) {
      expect(existsSync(join(packageRoot, path)), path).to.equal(true);
      expect(allowed).to.include(`!${path}`);
    }
  });

  it('copy every folder that the build is made of, but for the tests', () => {
    const { include } = JSON.parse(read('tsconfig.json')) as { include: readonly string[] };
    const folders = include.map((path) => path.split('/')[0]!).filter((folder) => folder !== 'test');
    expect(folders).to.include('core');
    for (const folder of folders) expect(dockerfile).to.match(new RegExp(`^COPY ${folder} ${folder}$`, 'm'));
  });

  it('start the service with the flags of Node that npm start gives it, as does the unit for systemd', () => {
    const { start } = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
    const flags = start!.split(' ').filter((word) => word.startsWith('--'));
    expect(flags).to.not.be.empty;
    const entry = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)![1]!) as string[];
    expect(entry).to.deep.equal(['node', ...flags, 'dist/cli/main.js']);
    expect(read('deploy/vitrine.service')).to.include(`ExecStart=/usr/bin/node ${flags.join(' ')} dist/`);
  });

  it('run as an unprivileged user, with a health check', () => {
    const final = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(final).to.match(/^USER node$/m);
    expect(final).to.match(/^HEALTHCHECK .*\n?.*readyz/m);
  });
});

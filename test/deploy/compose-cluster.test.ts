import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { packageRoot } from '../../core/support/package-root.ts';
import { milliseconds } from '../support/haproxy.ts';
import { deployedSettings, longestRequestMs, longestStopMs, type DeployedSettings } from './production.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

interface Service {
  readonly environment?: Readonly<Record<string, string>> | readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly command?: readonly string[];
  readonly profiles?: readonly string[];
  readonly stop_grace_period?: string;
  readonly depends_on?: unknown;
}

/** What compose itself reads from `.env`, or hands to the balancer. */
const NOT_SETTINGS = [
  'POSTGRES_PASSWORD',
  'TLS_CERTIFICATE',
  'COMPOSE_PROFILES',
  'VITRINE_CONFIG',
  'HTTP_ADDRESS',
];

const READ_BY_OPENTELEMETRY = [
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_EXPORTER_OTLP_HEADERS',
];

describe('config/production.yaml', () => {
  let settings: DeployedSettings;
  before(async () => (settings = await deployedSettings()));

  it('holds no secret', () => {
    const set = parse(read('config/production.yaml')) as Record<string, Record<string, unknown>>;
    const names = Object.entries(set).flatMap(([section, keys]) =>
      Object.keys(keys).map((key) => `${section}.${key}`),
    );
    const secrets = settings.all.filter(({ isSecret }) => isSecret);
    expect(names).not.to.be.empty;
    expect(names).not.to.include.members(secrets.map(({ section, key }) => `${section}.${key}`));
  });

  it('lets the longest request end when an instance stops', () => {
    expect(settings.number('server.shutdown_ms')).to.be.at.least(longestRequestMs(settings));
  });
});

describe('the cluster of compose', () => {
  const { services, volumes } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    volumes: Record<string, null>;
  };
  const instances = Object.entries(services).filter(([name]) => /^vitrine-\d$/.test(name));
  let settings: DeployedSettings;
  before(async () => (settings = await deployedSettings()));

  it('has three instances that are alike', () => {
    expect(instances.map(([name]) => name)).to.deep.equal(['vitrine-1', 'vitrine-2', 'vitrine-3']);
    for (const [, service] of instances) expect(service).to.deep.equal(instances[0]![1]);
  });

  it('can be reached through the balancer alone', () => {
    const open = Object.entries(services).filter(([, { ports }]) => ports);
    expect(open.map(([name]) => name)).to.deep.equal(['balancer']);
  });

  it('runs on config/production.yaml, which the image has', () => {
    expect(instances[0]![1].environment).to.include({ VITRINE_CONFIG: '/app/config/production.yaml' });
    expect(read('Dockerfile')).to.match(/^WORKDIR \/app$/m);
    expect(read('Dockerfile')).to.match(/^COPY config\/default.yaml config\/production.yaml config\/$/m);
  });

  it('gives instances settings that exist, and no secret from the file itself', () => {
    const known = new Map(settings.all.map((setting) => [setting.env, setting]));
    for (const [name, value] of Object.entries(instances[0]![1].environment ?? {})) {
      if (NOT_SETTINGS.includes(name)) continue;
      expect(known.has(name), name).to.equal(true);
      if (known.get(name)!.isSecret) expect(value).to.match(/\$\{[A-Z_]+:\?/);
    }
    expect(services['postgres']!.environment)
      .to.have.property('POSTGRES_PASSWORD')
      .that.matches(/^\$\{[A-Z_]+:\?/);
  });

  it('has an example of .env that names settings that exist, and holds no secret', () => {
    const lines = read('deploy/compose/env.example').matchAll(/^#?([A-Z_]+)=(.*)$/gm);
    const named = new Map([...lines].map(([, name, value]) => [name!, value!]));
    const known = new Map(settings.all.map((setting) => [setting.env, setting]));
    expect([...named.keys()]).to.include.members(['JWT_SECRET', 'SECRET_KEY', 'POSTGRES_PASSWORD']);
    for (const [name, value] of named) {
      if (!NOT_SETTINGS.includes(name)) expect(known.has(name), name).to.equal(true);
      if (known.get(name)?.isSecret) expect(value, name).to.match(/^(redis:\/\/redis:6379)?$/);
    }
  });

  it('keeps PostgreSQL durable and wide enough for all instances', () => {
    const options = new Map(
      services['postgres']!.command!.filter((word) => word.includes('=')).map(
        (word) => word.split('=') as [string, string],
      ),
    );
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes'])
      expect(options.get(name)).to.equal('on');
    // Four for reads of the hot path, two that write, one that looks for changes, one that brings tables up to date.
    const further = 8;
    const each = settings.number('database.pool_size') + further;
    const reservedForAdministrators = 3;
    expect(instances.length * each).to.be.below(
      Number(options.get('max_connections')) - reservedForAdministrators,
    );
  });

  it('waits for an instance to stop, and for the requests that the balancer has under way', () => {
    for (const name of ['vitrine-1', 'balancer']) {
      const grace = milliseconds(services[name]!.stop_grace_period!);
      expect(grace, name).to.be.at.least(longestStopMs(settings));
    }
  });

  it('needs no Redis, and starts one only when asked', () => {
    expect(services['redis']!.profiles).to.deep.equal(['redis']);
    expect(JSON.stringify(Object.values(services).map(({ depends_on }) => depends_on))).not.to.include(
      'redis',
    );
  });

  it('declares every volume that it mounts', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes);
    const named = mounted.map((volume) => volume.split(':')[0]!).filter((source) => !source.startsWith('.'));
    expect(new Set(named)).to.deep.equal(new Set(Object.keys(volumes)));
  });
});

describe('docs/deployment.md', () => {
  it('names settings that exist', async () => {
    const { all } = await deployedSettings();
    const page = read('docs/deployment.md');
    const inEnvironment = [...page.matchAll(/\b[A-Z]{2,}(?:_[A-Z]+)+\b/g)].map(([name]) =>
      name.replace(/_FILE$/, ''),
    );
    const known = [
      ...all.map(({ env }) => env),
      ...NOT_SETTINGS,
      'HTTP_PORT',
      'HTTPS_PORT',
      'NODE_OPTIONS',
      'NODE_EXTRA_CA_CERTS',
      'BACKUP_PASSPHRASE',
      ...READ_BY_OPENTELEMETRY,
    ];
    expect(inEnvironment).to.include('JWT_SECRET');
    expect(known).to.include.members(inEnvironment);

    const sections = new Set(all.map(({ section }) => section));
    const inFiles = [...page.matchAll(/`([a-z]+)\.([a-z_]+)/g)].filter(([, section]) =>
      sections.has(section!),
    );
    expect(inFiles.map(([, , key]) => key)).to.include('drain_delay_ms');
    expect(all.map(({ section, key }) => `${section}.${key}`)).to.include.members(
      inFiles.map(([, section, key]) => `${section}.${key}`),
    );
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { coreRoutes } from '../../core/http/core-routes.ts';
import { packageRoot, packageVersion } from '../../core/support/package-root.ts';
import {
  chartDirectory,
  defaultValues,
  renderChart,
  type Manifest,
  type Values,
} from '../support/helm/chart.ts';
import { WORKERS } from '../../plugins/samples/running/pool.ts';
import { findHelm, helm } from '../support/helm/helm.ts';
import { schemaFaults, typeFaults } from '../support/helm/kubernetes.ts';
import { valueSets } from './helm-values.ts';
import { deployedSettings, longestStopMs, type DeployedSettings } from './production.ts';

const read = (path: string): string => readFileSync(join(packageRoot, path), 'utf8');

/** What a set of values becomes. */
interface Rendered {
  readonly manifests: readonly Manifest[];
  /** Of a kind that is there once. */
  one(kind: string): Manifest;
  readonly settings: DeployedSettings;
}

async function rendered(values: Values): Promise<Rendered> {
  const manifests = renderChart(values);
  const one = (kind: string): Manifest => {
    const found = manifests.filter((manifest) => manifest.kind === kind);
    expect(found, kind).to.have.length(1);
    return found[0]!;
  };
  return { manifests, one, settings: await settingsIn(one('ConfigMap')) };
}

async function settingsIn(configMap: Manifest): Promise<DeployedSettings> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-chart-'));
  try {
    const file = join(directory, 'settings.yaml');
    writeFileSync(file, configMap['data']['settings.yaml'] as string);
    return await deployedSettings(file);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const mebibytes = (quantity: string): number => {
  const [, number, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity)!;
  return Number(number) * (unit === 'Gi' ? 1024 : 1);
};

const matches = (selector: Record<string, string>, labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

describe('the Helm chart (where Helm is, which npm brings for Linux on x64)', () => {
  const sets = new Map<string, Rendered>();
  before(async function () {
    if (!findHelm()) this.skip();
    this.timeout(60_000);
    for (const [name, values] of Object.entries(valueSets)) sets.set(name, await rendered(values));
  });
  const inEach = (check: (set: Rendered, name: string) => void): void => {
    expect(sets.size).to.be.greaterThan(3);
    for (const [name, set] of sets) check(set, name);
  };
  const pod = ({ one }: Rendered) => one('StatefulSet')['spec'].template;
  const container = (set: Rendered) => pod(set).spec.containers[0];

  it('has the version of the service', () => {
    const chart = parse(read('deploy/helm/vitrine/Chart.yaml')) as Record<string, string>;
    expect(chart['appVersion']).to.equal(packageVersion());
  });

  describe('renders objects', () => {
    it('that fit the schemas of Kubernetes and of the Prometheus operator', () => {
      inEach(({ manifests }) => expect(manifests.flatMap(schemaFaults)).to.deep.equal([]));
    });

    it('that have no field which Kubernetes does not know', () => {
      expect(typeFaults([...sets.values()].flatMap(({ manifests }) => manifests))).to.deep.equal([]);
    }).timeout(60_000);

    it('whose faults would be found', () => {
      const planted = structuredClone(sets.get('the defaults')!.one('StatefulSet')) as any;
      planted.spec.podManagementPolicy = 'Both';
      planted.spec.template.spec.containers[0].livenesProbe = {};
      expect(schemaFaults(planted).join()).to.include('podManagementPolicy');
      expect(typeFaults([planted]).join())
        .to.include('livenesProbe')
        .and.include('podManagementPolicy');
      expect(schemaFaults({ ...planted, kind: 'Job' }).join()).to.include('no schema for apps/v1 Job');
    }).timeout(60_000);

    it('of every kind when every option is on, and of few by default', () => {
      const kinds = (name: string) => sets.get(name)!.manifests.map(({ kind }) => kind);
      const always = ['ConfigMap', 'Service', 'Service', 'StatefulSet'];
      const usually = [...always, 'PodDisruptionBudget', 'ServiceAccount'];
      const all = [...usually, 'HorizontalPodAutoscaler', 'Ingress', 'NetworkPolicy', 'ServiceMonitor'];
      expect(kinds('the defaults')).to.have.members(usually);
      expect(kinds('every option on')).to.have.members(all);
      expect(kinds('as little as can be')).to.have.members([...always, 'Ingress', 'NetworkPolicy']);
    });

    it('whose names are short enough, and one for each object of a kind', () => {
      inEach(({ manifests }) => {
        // The names of pods, and a label with a hash, are made from it.
        for (const { metadata } of manifests) expect(metadata.name.length).to.be.at.most(61);
        const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
        expect(new Set(names)).to.have.property('size', names.length);
      });
    });
  });

  describe('refuses values', () => {
    const bad: readonly (readonly [string, Values, string])[] = [
      ['that it does not know', { replicaCount: 3 }, 'Additional property replicaCount'],
      ['of another type', { replicas: '3' }, '- replicas: Invalid type. Expected: integer'],
      ['that leave no pod', { replicas: 0 }, '- replicas: Must be greater than or equal to 1'],
      [
        'that would block every node',
        { podDisruptionBudget: { maxUnavailable: 0 } },
        '- podDisruptionBudget.maxUnavailable: Must be greater than or equal to 1',
      ],
      ['of no known choice', { service: { type: 'Public' } }, '"ClusterIP", "NodePort", "LoadBalancer"'],
      ['without a Secret', { existingSecret: '' }, '- existingSecret: Does not match pattern'],
      ['that are no quantity', { persistence: { size: 'small' } }, '- persistence.size: Does not match'],
      ['that open no path', { ingress: { paths: [] } }, '- ingress.paths: Array must have at least 1'],
      [
        'that the image sets',
        { settings: { server: { port: 8080 } } },
        '- settings.server.port: settings.server.port must be one of the following: "The image sets this',
      ],
      [
        'that belong into the Secret',
        { settings: { jwt: { secret: 'x' } } },
        'put it into the Secret that existingSecret names',
      ],
      [
        'that are no section',
        { settings: { log: 'debug' } },
        '- settings.log: Invalid type. Expected: object',
      ],
    ];
    for (const [what, values, fault] of bad) {
      it(`${what}, and says so`, () => expect(() => renderChart(values)).to.throw(fault));
    }

    it('of every secret that the service has', () => {
      const { settings } = sets.get('the defaults')!;
      const secrets = settings.all.filter(({ isSecret }) => isSecret);
      expect(secrets.length).to.be.greaterThan(5);
      for (const { section, key } of secrets) {
        const values = { settings: { [section]: { [key]: 'x' } } };
        expect(() => renderChart(values)).to.throw(`- settings.${section}.${key}: `);
      }
    }).timeout(30_000);

    it('that are misspelt below any section of its own', () => {
      const free = ['settings', 'resources', 'affinity', 'podSecurityContext', 'securityContext'];
      const texts = ['podAnnotations', 'podLabels', 'nodeSelector'];
      const sections = Object.entries(defaultValues).filter(
        ([name, value]) =>
          typeof value === 'object' && !Array.isArray(value) && ![...free, ...texts].includes(name),
      );
      expect(sections.length).to.be.greaterThan(7);
      for (const [name] of sections) {
        const values = { [name]: { nonsense: 1 } };
        expect(() => renderChart(values)).to.throw(`- ${name}: Additional property nonsense`);
      }
    }).timeout(30_000);
  });

  describe('gives its pods settings', () => {
    it('which are those of config/production.yaml, but for what the image sets', () => {
      const { server, ...more } = parse(read('config/production.yaml')) as Record<
        string,
        Record<string, unknown>
      >;
      const { host: _, ...rest } = server!;
      expect(defaultValues['settings']).to.deep.equal({ ...more, server: rest });
      expect(read('Dockerfile')).to.match(/^ENV .*HOST=0\.0\.0\.0 PORT=3000 DATA_DIR=\/data$/m);
    });

    it('from a file that the service takes, which holds no secret', () => {
      inEach(({ one, settings }) => {
        const text = one('ConfigMap')['data']['settings.yaml'] as string;
        const sections = parse(text) as Record<string, Record<string, unknown>>;
        for (const { section, key } of settings.all.filter(({ isSecret }) => isSecret))
          expect(sections[section] ?? {}).not.to.have.property(key);
      });
    });

    it('in the place where they look for it, and starts them anew when it changes', async () => {
      inEach((set) => {
        const { env, volumeMounts } = container(set);
        const mount = volumeMounts.find(({ name }: { name: string }) => name === 'settings');
        expect(env[0]).to.deep.equal({ name: 'VITRINE_CONFIG', value: `${mount.mountPath}/settings.yaml` });
        const volume = pod(set).spec.volumes.find(({ name }: { name: string }) => name === 'settings');
        expect(volume.configMap.name).to.equal(set.one('ConfigMap').metadata.name);
      });
      const checksum = (set: Rendered) => pod(set).metadata.annotations['checksum/settings'];
      const changed = await rendered({ settings: { log: { level: 'warn' } } });
      expect(checksum(changed)).not.to.equal(checksum(sets.get('the defaults')!));
    });

    it('and every secret that there is by its name, from the Secret that exists already', () => {
      inEach((set, name) => {
        const [, ...env] = container(set).env;
        const secrets = set.settings.all.filter(({ isSecret }) => isSecret);
        expect(env.map((one: { name: string }) => one.name)).to.have.members(secrets.map((one) => one.env));
        const secret = valueSets[name]!['existingSecret'] ?? 'vitrine';
        for (const { name, value, valueFrom } of env) {
          expect(value).to.equal(undefined);
          expect(valueFrom.secretKeyRef).to.include({ name: secret, key: name });
        }
        const demanded = env.filter((one: any) => !one.valueFrom.secretKeyRef.optional);
        expect(demanded.map((one: { name: string }) => one.name)).to.have.members([
          'DATABASE_URL',
          'JWT_SECRET',
          'SECRET_KEY',
        ]);
        expect(set.manifests.map(({ kind }) => kind)).not.to.include('Secret');
      });
    });
  });

  describe('runs pods', () => {
    it('that are asked at paths which exist', () => {
      const routes = coreRoutes({ ready: () => true, health: {} as never, metrics: {} as never });
      const served = routes.map(({ route }) => route.path);
      inEach((set) => {
        const { startupProbe, livenessProbe, readinessProbe, ports } = container(set);
        for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
          expect(served).to.include(probe.httpGet.path);
          expect(ports.map(({ name }: { name: string }) => name)).to.include(probe.httpGet.port);
        }
        expect(readinessProbe.httpGet.path).to.equal('/readyz');
        // A database that is away must not have every pod started anew.
        expect(livenessProbe.httpGet.path).to.equal('/livez');
      });
    });

    it('at the port of the image', () => {
      inEach((set) => expect(container(set).ports[0].containerPort).to.equal(3000));
      expect(read('Dockerfile')).to.match(/^EXPOSE 3000$/m);
    });

    it('that have time to drain, to end their requests and to stop their plugins', () => {
      inEach((set) => {
        const graceMs = pod(set).spec.terminationGracePeriodSeconds * 1000;
        expect(graceMs).to.be.at.least(longestStopMs(set.settings));
        expect(set.settings.number('server.drain_delay_ms')).to.be.greaterThan(0);
      });
    });

    it('whose records survive them where the database does not take them', () => {
      inEach((set, name) => {
        const { volumeClaimTemplates = [] } = set.one('StatefulSet')['spec'];
        const mount = container(set).volumeMounts.find(({ mountPath }: any) => mountPath === '/data');
        const isKept = name !== 'as little as can be';
        expect(volumeClaimTemplates.map((claim: any) => claim.metadata.name)).to.deep.equal(
          isKept ? [mount.name] : [],
        );
        const volumes = pod(set).spec.volumes.map((volume: { name: string }) => volume.name);
        expect(volumes.includes(mount.name)).to.equal(!isKept);
      });
    });

    it('without rights that they do not need', () => {
      inEach((set) => {
        expect(pod(set).spec).to.include({ automountServiceAccountToken: false, enableServiceLinks: false });
        expect(pod(set).spec.securityContext).to.include({
          runAsNonRoot: true,
          runAsUser: 1000,
          fsGroup: 1000,
        });
        expect(container(set).securityContext).to.deep.include({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        const writable = container(set).volumeMounts.filter(({ readOnly }: any) => !readOnly);
        expect(writable.map(({ mountPath }: any) => mountPath)).to.have.members(['/data', '/tmp']);
      });
    });

    it('with room for the service and for the workers of the samples', () => {
      inEach((set) => {
        const workers = WORKERS * set.settings.number('samples.memory_mb');
        expect(mebibytes(container(set).resources.limits.memory)).to.be.at.least(300 + workers);
      });
    });
  });

  describe('connects its objects', () => {
    it('by selectors that find the pods', () => {
      inEach((set) => {
        const { labels } = pod(set).metadata;
        for (const { kind, spec } of set.manifests) {
          if (kind === 'Service') expect(matches(spec.selector, labels)).to.equal(true);
          if (kind === 'NetworkPolicy') expect(matches(spec.podSelector.matchLabels, labels)).to.equal(true);
          if (['StatefulSet', 'PodDisruptionBudget'].includes(kind))
            expect(matches(spec.selector.matchLabels, labels), kind).to.equal(true);
        }
        for (const { labelSelector } of pod(set).spec.topologySpreadConstraints ?? [])
          expect(matches(labelSelector.matchLabels, labels)).to.equal(true);
      });
    });

    it('to a workload of which pods have names', () => {
      inEach((set) => {
        const { serviceName } = set.one('StatefulSet')['spec'];
        const named = set.manifests.find(
          ({ kind, metadata }) => kind === 'Service' && metadata.name === serviceName,
        );
        expect(named?.['spec'].clusterIP).to.equal('None');
      });
    });

    it('so that the autoscaler scales the workload, and alone', () => {
      const set = sets.get('every option on')!;
      const { apiVersion, kind, metadata, spec } = set.one('StatefulSet');
      const scaler = set.one('HorizontalPodAutoscaler')['spec'];
      expect(scaler.scaleTargetRef).to.deep.equal({ apiVersion, kind, name: metadata.name });
      expect(spec).not.to.have.property('replicas');
      // Utilisation is counted in what is requested.
      expect(container(set).resources.requests).to.have.property('cpu');
      expect(sets.get('the defaults')!.one('StatefulSet')['spec'].replicas).to.equal(3);
    });

    it('so that nodes can be emptied and pods replaced, one at a time', () => {
      const set = sets.get('the defaults')!;
      const { maxUnavailable } = set.one('PodDisruptionBudget')['spec'];
      const { replicas, updateStrategy, minReadySeconds } = set.one('StatefulSet')['spec'];
      expect(maxUnavailable).to.be.within(1, replicas - 1);
      expect(updateStrategy).to.deep.equal({ type: 'RollingUpdate' });
      expect(minReadySeconds).to.be.greaterThan(0);
    });

    it('so that the outside reaches the API, and not the metrics', () => {
      for (const name of ['every option on', 'as little as can be']) {
        const set = sets.get(name)!;
        const [rule] = set.one('Ingress')['spec'].rules;
        const paths: { path: string; backend: any }[] = rule.http.paths;
        const reaches = (path: string) =>
          paths.some((open) => `${path}/`.startsWith(`${open.path.replace(/\/$/, '')}/`));
        expect(reaches('/api/v1')).to.equal(true);
        expect(reaches('/metrics')).to.equal(false);
        const services = set.manifests.filter(({ kind }) => kind === 'Service');
        for (const { backend } of paths) {
          const service = services.find(({ metadata }) => metadata.name === backend.service.name);
          expect(service?.['spec'].ports.map((port: { name: string }) => port.name)).to.include(
            backend.service.port.name,
          );
        }
      }
    });

    it('so that Prometheus asks each pod once, at the path of the metrics', () => {
      const set = sets.get('every option on')!;
      const { selector, endpoints } = set.one('ServiceMonitor')['spec'];
      const services = set.manifests.filter(
        ({ kind, metadata }) => kind === 'Service' && matches(selector.matchLabels, metadata.labels),
      );
      expect(services).to.have.length(1);
      expect(services[0]!['spec'].ports.map((port: { name: string }) => port.name)).to.include(
        endpoints[0].port,
      );
      expect(endpoints[0].path).to.equal('/metrics');
    });

    it('so that pods reach algorithms everywhere, but no metadata of a cloud', async () => {
      const { one } = await rendered({ networkPolicy: { enabled: true } });
      const { ingress, egress } = one('NetworkPolicy')['spec'];
      expect(ingress[0].ports).to.deep.equal([{ port: 'http' }]);
      const blocks = egress.flatMap(({ to }: any) => to).flatMap(({ ipBlock }: any) => ipBlock ?? []);
      expect(blocks[0]).to.deep.include({ cidr: '0.0.0.0/0' });
      expect(blocks[0].except).to.include('169.254.0.0/16');
      expect(blocks[1]).to.deep.include({ cidr: '::/0' });
      expect(blocks[1].except).to.include('fe80::/10');
    });
  });

  it('has no fault that Helm knows of', () => {
    const { status, stdout, stderr } = helm('lint', '--strict', chartDirectory);
    expect(status, stdout + stderr).to.equal(0);
  });
});

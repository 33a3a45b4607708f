import type { Values } from '../support/helm/chart.ts';

/** Values that together reach every branch of every template. */
export const valueSets: Readonly<Record<string, Values>> = {
  'the defaults': {},
  'every option on': {
    image: { repository: 'registry.example.org/tools/vitrine', tag: '1.2.3', pullPolicy: 'Always' },
    imagePullSecrets: [{ name: 'registry' }],
    existingSecret: 'vitrine-secrets',
    settings: {
      server: { trust_proxy: '2', drain_delay_ms: 15000, large_body_limit: 16777216 },
      samples: { memory_mb: 384, seed: false },
      egress: { policy: 'public', allow: ['10.0.0.0/8', 'models.example.org:8443'] },
      users: { admin_username: 'ada', registration: false },
      log: { level: 'warn' },
    },
    persistence: { size: '500Mi', storageClassName: 'fast' },
    resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '3Gi' } },
    startupSeconds: 60,
    autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 10, targetCPUUtilizationPercentage: 65 },
    podDisruptionBudget: { maxUnavailable: 2 },
    service: { type: 'LoadBalancer', port: 8080, annotations: { 'example.org/internal': 'true' } },
    ingress: {
      enabled: true,
      className: 'nginx',
      annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '9m' },
      host: 'vitrine.example.org',
      paths: ['/api'],
      tlsSecretName: 'vitrine-tls',
    },
    networkPolicy: {
      enabled: true,
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
      exceptAddresses: ['169.254.0.0/16', '192.0.2.0/24'],
    },
    serviceMonitor: { enabled: true, interval: '15s', labels: { release: 'prometheus' } },
    serviceAccount: { name: 'vitrine-runner', annotations: { 'example.org/role': 'none' } },
    podAnnotations: { 'example.org/team': 'shop window' },
    podLabels: { tier: 'web' },
    priorityClassName: 'high',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'web', effect: 'NoSchedule' }],
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['ssd'] }] } },
        ],
      },
    },
    topologyKeys: ['kubernetes.io/hostname'],
  },
  'as little as can be': {
    replicas: 1,
    nameOverride: 'showcase',
    persistence: { enabled: false },
    podDisruptionBudget: { enabled: false },
    serviceAccount: { create: false },
    ingress: { enabled: true },
    networkPolicy: { enabled: true, exceptAddresses: [], exceptAddresses6: [] },
    topologyKeys: [],
  },
  'names of their own': {
    fullnameOverride: 'a-name-that-is-far-too-long-to-be-the-name-of-a-thing-in-kubernetes',
    serviceAccount: { create: false, name: 'somebody' },
  },
  'a name within the name of the release': { nameOverride: 'demo' },
};

import { join } from 'node:path';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import ts from 'typescript';
import { packageRoot } from '../../../core/support/package-root.ts';
import type { Manifest } from './chart.ts';

interface Model {
  readonly apiVersion: string;
  readonly kind: string;
  new (data: never): { validate(): void };
}

/** Made from the OpenAPI documents of Kubernetes, and from the custom resource of the Prometheus operator. */
const kubernetes: readonly Model[] = [
  ConfigMap,
  HorizontalPodAutoscaler,
  Ingress,
  NetworkPolicy,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  StatefulSet,
];
const prometheus: readonly Model[] = [ServiceMonitor];

/** What the schemas of Kubernetes find wrong: types, formats, choices, fields that must be there, unknown kinds. */
export function schemaFaults(manifest: Manifest): readonly string[] {
  const { apiVersion, kind } = manifest;
  const model = [...kubernetes, ...prometheus].find(
    (known) => known.apiVersion === apiVersion && known.kind === kind,
  );
  if (!model) return [`There is no schema for ${apiVersion} ${kind}.`];
  try {
    new model(manifest as never).validate();
    return [];
  } catch (error) {
    return [`${kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
}

/**
 * What the same schemas say as types: they know every field, so that a misspelt one is found, which the schemas let
 * pass. All manifests are judged by one run of the compiler, since that takes a second or two.
 */
export function typeFaults(manifests: readonly Manifest[]): readonly string[] {
  const file = join(packageRoot, 'rendered-manifests.ts');
  const source = manifests.map(typed).join('\n');
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    lib: ['lib.es2023.d.ts'],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, language, ...more) =>
    name === file
      ? ts.createSourceFile(name, source, language)
      : getSourceFile.call(host, name, language, ...more);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options, host));
  return found.map(({ messageText, start }) => {
    const line = start === undefined ? '' : source.slice(0, start).split('\n').length;
    return `${source.split('\n')[Number(line) - 1]?.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

function typed(manifest: Manifest, index: number): string {
  const { apiVersion, kind } = manifest;
  const isKubernetes = kubernetes.some((known) => known.apiVersion === apiVersion && known.kind === kind);
  const library = isKubernetes ? 'kubernetes-models' : '@kubernetes-models/prometheus-operator';
  return [
    `import type { I${kind} as Type${index} } from '${library}/${apiVersion}/${kind}';`,
    `export const manifest${index}: Type${index} = ${JSON.stringify(manifest, null, 2)};`,
  ].join('\n');
}

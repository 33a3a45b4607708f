import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { packageRoot } from '../../core/support/package-root.ts';
import { startVitrine } from '../support/vitrine.ts';

const DASHBOARD = 'deploy/monitoring/grafana-dashboard.json';
const RULES = join(packageRoot, 'deploy/monitoring/prometheus-rules.yaml');
/** Of Prometheus itself, and of several workers, which one process does not have. */
const ELSEWHERE = ['up', 'vitrine_workers_missing', 'vitrine_workers'];
const SERIES_OF_HISTOGRAM = /_(bucket|count|sum)$/;
/** Words of the query language, functions aside: those have a parenthesis. */
const WORDS = /^(by|without|and|or|unless|on|ignoring|offset|bool)$/;

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** The metrics that an expression names. */
function metricsIn(expr: string): readonly string[] {
  const bare = expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without)\s*\([^)]*\)/g, '');
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !WORDS.test(name) && !/^e\d/.test(name));
}

describe('the dashboard and the alert rules', () => {
  const dashboard = JSON.parse(readFileSync(join(packageRoot, DASHBOARD), 'utf8')) as { panels: Panel[] };
  const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: { rules: Rule[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const expressions = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...rules.map(({ expr }) => expr),
  ];

  it('use metrics that the service has', async () => {
    const vitrine = await startVitrine('sqlite');
    try {
      const text = await (await fetch(`${vitrine.rootUrl}/metrics`)).text();
      const served = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
      const used = new Set(expressions.flatMap(metricsIn));
      expect(used.size).to.be.greaterThan(20);
      for (const name of used) {
        if (ELSEWHERE.includes(name)) continue;
        expect(
          served.includes(name) || served.includes(name.replace(SERIES_OF_HISTOGRAM, '')),
          name,
        ).to.equal(true);
      }
    } finally {
      await vitrine.stop();
    }
  });

  it('would be caught using another', () => {
    const expr =
      'sum by (le, status) (rate(made_up_total{job=~"$job"}[5m])) / max(other_bytes) > 1e9 and third > 2';
    expect(metricsIn(expr)).to.deep.equal(['made_up_total', 'other_bytes', 'third']);
  });

  it('have panels with a title and a place of their own', () => {
    const { panels } = dashboard;
    expect(panels.length).to.be.greaterThan(10);
    expect(new Set(panels.map(({ id }) => id))).to.have.property('size', panels.length);
    expect(new Set(panels.map(({ title }) => title))).to.have.property('size', panels.length);
  });

  it('have alerts with a severity, a summary, and what to do', () => {
    expect(rules.length).to.be.greaterThan(8);
    expect(new Set(rules.map(({ alert }) => alert))).to.have.property('size', rules.length);
    for (const { alert, labels, annotations } of rules) {
      expect(labels['severity'], alert).to.be.oneOf(['info', 'warning', 'critical']);
      expect(annotations['summary'], alert).to.match(/\S/);
      expect(annotations['description'], alert).to.match(/\S/);
    }
  });

  it('are rules that promtool accepts (where it is installed)', function () {
    if (spawnSync('promtool', ['--version']).error) this.skip();
    expect(execFileSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).to.include('SUCCESS');
  });

  it('stand on metrics that promtool finds well named (where it is installed)', async function () {
    if (spawnSync('promtool', ['--version']).error) this.skip();
    const vitrine = await startVitrine('sqlite');
    try {
      const input = await (await fetch(`${vitrine.rootUrl}/metrics`)).text();
      const { stderr, error } = spawnSync('promtool', ['check', 'metrics'], { input, encoding: 'utf8' });
      expect(error).to.equal(undefined);
      // Those of the process have the names that prom-client gives them.
      const findings = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_'));
      expect(findings).to.deep.equal([]);
    } finally {
      await vitrine.stop();
    }
  });
});

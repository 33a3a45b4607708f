import { expect } from 'chai';
import { conformance } from './support/api.ts';

conformance('exports', (api) => {
  for (const [path, type] of [
    ['/history/export', 'text/csv; charset=utf-8'],
    ['/history/export?format=ndjson', 'application/x-ndjson'],
    ['/audit/export', 'text/csv; charset=utf-8'],
    ['/audit/export?format=ndjson', 'application/x-ndjson'],
    ['/catalogue/export', 'application/yaml; charset=utf-8'],
    ['/catalogue/export?format=json', 'application/json; charset=utf-8'],
  ] as const) {
    it(`are what the document says in each form: ${path}`, async () => {
      const { status, headers } = await api.ask('GET', path, { as: 'admin' });
      expect([status, headers['content-type']]).to.deep.equal([200, type]);
    });
  }
});

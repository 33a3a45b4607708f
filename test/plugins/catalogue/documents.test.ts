import { expect } from 'chai';
import { onEveryEngine } from '../../../core/testing.ts';
import { startStage, type Stage } from '../invocation/support/stage.ts';
import { schemaDocuments, type SchemaDocument } from './support/schema-documents.ts';
import { schemaLimits } from './support/schema-limits.ts';

describe('A schema document', () => {
  onEveryEngine((engine) => {
    let stage: Stage;
    let algorithm_id: string;
    before(async () => {
      // The endpoint answers what the input names.
      stage = await startStage(
        engine,
        ({ body }, response) =>
          void response
            .writeHead(200, { 'content-type': 'application/json' })
            .end(JSON.stringify(body.input_data.answer ?? {})),
        { services: [schemaLimits({ compileMs: 5_000, checkMs: 2_000 })] },
      );
      ({ algorithm_id } = await stage.play());
    });
    after(() => stage.stop());

    const register = async ({ tool, name, schema, output = false }: SchemaDocument): Promise<string> => {
      const field = output ? 'output_schema' : 'input_schema';
      const fields = `"version":${JSON.stringify(`${tool} ${name}`)},"url":${JSON.stringify(stage.upstream.url)}`;
      const path = `/algorithms/${algorithm_id}/versions`;
      const { status, body } = await stage.request('POST', path, {
        token: stage.admin,
        body: `{${fields},"${field}":${schema}}`,
      });
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.id;
    };

    /** Calls with a value, as the input or as what the endpoint answers. */
    const outcome = async (version_id: string, value: unknown, output = false): Promise<string> => {
      const input_data = output ? { answer: value } : value;
      const { status, body } = await stage.call({ algorithm_id, version_id }, { input_data });
      return status === 200 ? (body.error_code ?? body.status) : `${status} ${body.errors?.[0].pointer}`;
    };

    for (const document of schemaDocuments) {
      const { tool, name, output, valid, invalid } = document;
      it(`is registered and called as it was written by ${tool}: ${name}`, async () => {
        const versionId = await register(document);
        for (const value of valid) {
          expect(await outcome(versionId, value, output), JSON.stringify(value)).to.equal('success');
        }
        for (const value of invalid) {
          const expected = output ? /^output_invalid$/ : /^422 \/body\/input_data/;
          expect(await outcome(versionId, value, output), JSON.stringify(value)).to.match(expected);
        }
      });
    }
  });

  it('is one of at least fifty', () => {
    expect(schemaDocuments).to.have.length.of.at.least(50);
    expect(schemaDocuments.every(({ valid }) => valid.length > 0)).to.equal(true);
  });
});

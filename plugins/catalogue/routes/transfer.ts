import { Readable } from 'node:stream';
import { authorOf, rawContent, replyBytes, routesWith } from '../../../core/index.ts';
import { ImportRunning } from '../contract.ts';
import { CATALOGUE_EXPORT } from '../portable/export.ts';
import { CATALOGUE_IMPORT } from '../portable/import.ts';
import { placed } from '../portable/read.ts';
import { ExportQuery, ImportAnswer, ImportBody } from '../portable/schemas.ts';
import { writtenAsJson, writtenAsYaml } from '../portable/written.ts';

const route = routesWith({ exported: CATALOGUE_EXPORT, imported: CATALOGUE_IMPORT });

const FORMS = {
  yaml: { type: 'application/yaml; charset=utf-8', write: writtenAsYaml },
  json: { type: 'application/json; charset=utf-8', write: writtenAsJson },
} as const;

export const transferRoutes = [
  route({
    method: 'GET',
    path: '/catalogue/export',
    operationId: 'exportCatalogue',
    summary: 'Downloads the catalogue by names, as `vitrine export` writes it',
    description:
      'For administrators. All algorithms that match, with their versions and examples, and what other plugins keep about ' +
      'them, in one stream. 422 where two of them have the same name.',
    access: 'admin',
    query: ExportQuery,
    answers: rawContent(FORMS.yaml.type, FORMS.json.type),
    headers: { 'Content-Disposition': 'The name of the file.' },
    handle: async ({ query: { format = 'yaml', ...choice } }, { exported }) => {
      const { type, write } = FORMS[format];
      const parts = await placed('/query', () => exported.parts(choice));
      return replyBytes(Readable.from(write(parts)), {
        headers: {
          'Content-Type': type,
          'Content-Disposition': `attachment; filename="catalogue.${format}"`,
        },
      });
    },
  }),
  route({
    method: 'POST',
    path: '/catalogue/import',
    operationId: 'importCatalogue',
    summary: 'Makes the catalogue like one that was exported',
    description:
      'For administrators. Creates what is missing and changes what differs; what can be known to be wrong is refused before ' +
      'anything is changed, with the place of each fault. What is refused later stops it: what was done before stays, and ' +
      'the same import goes on from there. One import runs at a time.',
    access: 'admin',
    body: ImportBody,
    bodyLimit: 'large',
    boundsIn: ['document'],
    answers: ImportAnswer,
    problems: [ImportRunning],
    handle: async (input, { imported }) => {
      const { document, dry_run = false, prune = false, skip_unknown: skipUnknown = false } = input.body;
      const at = '/body/document';
      const catalogue = await imported.check(document, { skipUnknown, at });
      const done = await imported.run(catalogue, { dryRun: dry_run, prune, by: authorOf(input), at });
      return {
        dry_run,
        ...done,
        changes: done.changes.map(({ fields, ...change }) => ({
          ...change,
          ...(fields && { fields: [...fields] }),
        })),
      };
    },
  }),
];

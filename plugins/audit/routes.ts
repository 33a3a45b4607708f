import { exportReply, rawContent, routesWith } from '../../core/index.ts';
import { AuditExportQuery, AuditPage, AuditQuery, COLUMNS } from './schemas.ts';
import { TRAIL } from './trail.ts';

const route = routesWith({ trail: TRAIL });

export const routes = [
  route({
    method: 'GET',
    path: '/audit',
    operationId: 'listAuditEntries',
    summary: 'Lists who changed what, newest first',
    description: 'For administrators. Filters are combined with AND; an unknown value matches nothing.',
    access: 'admin',
    query: AuditQuery,
    answers: AuditPage,
    handle: ({ query }, { trail }) => trail.list(query),
  }),
  route({
    method: 'GET',
    path: '/audit/export',
    operationId: 'exportAuditEntries',
    summary: 'Downloads the audit trail as CSV or NDJSON',
    description:
      'For administrators. All that match the filters, newest first, in one stream. In CSV, `before` and `after` are JSON, ' +
      'and a text that a spreadsheet would take for a formula begins with an apostrophe.',
    access: 'admin',
    query: AuditExportQuery,
    answers: rawContent('text/csv; charset=utf-8', 'application/x-ndjson'),
    headers: { 'Content-Disposition': 'The name of the file.' },
    handle: ({ query: { format, ...filter } }, { trail }) =>
      exportReply({ format, name: 'audit', columns: COLUMNS, pages: trail.export(filter) }),
  }),
];

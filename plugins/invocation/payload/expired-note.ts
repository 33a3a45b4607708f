import type { Engine } from '../../../core/index.ts';
import { PAYLOAD_FIELDS } from './reduce.ts';

/**
 * SQL for the new `payload` note of a record whose payload is deleted, from its present note: fields that the policy
 * dropped stay `dropped`, all others become `expired`.
 */
export function expiredNote(engine: Engine): string {
  const noted = (name: string): string =>
    `${engine === 'postgres' ? 'payload::json' : 'payload'} ->> '${name}'`;
  const states = PAYLOAD_FIELDS.map(
    (field) =>
      `'"${field}":"' || CASE WHEN ${noted(field)} = 'dropped' THEN 'dropped' ELSE 'expired' END || '"'`,
  );
  const message = `CASE WHEN ${noted('error_message')} IS NULL THEN '' ELSE ',"error_message":"redacted"' END`;
  return `'{' || ${states.join(` || ',' || `)} || ${message} || '}'`;
}

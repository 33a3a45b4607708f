import { showStatus, showType } from '../texts/text.ts';
import { hueOf } from './hue.ts';

const TONES: Readonly<Record<string, string>> = {
  active: 'good',
  success: 'good',
  failed: 'bad',
  revoked: 'bad',
  failure: 'bad',
  disabled: 'warn',
  deprecated: 'warn',
  running: 'warn',
};

export function StatusBadge({ status }: { readonly status: string }) {
  return <span className={`badge dot ${TONES[status] ?? ''}`}>{showStatus(status)}</span>;
}

export function TypeBadge({ type }: { readonly type: string }) {
  return <span className={`badge type ${hueOf(type)}`}>{showType(type)}</span>;
}

import { adminText } from '../../texts/text.ts';

/** The value of a setting: lists as the environment has them, objects as JSON. */
export function showSetting(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) {
    return adminText.settings.unset;
  }
  if (Array.isArray(value)) return value.map(showSetting).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

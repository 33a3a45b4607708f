import { isIPv4, isIPv6 } from 'node:net';

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const URI = /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]+$/i;
const HOST_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

function isDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= lastDay;
}

function isDateTime(text: string): boolean {
  return /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && TIME.test(text.slice(11));
}

function isHostname(text: string): boolean {
  return text.length <= 253 && text.split('.').every((label) => HOST_LABEL.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && text.length <= 320 && !/[\s@]/.test(text.slice(0, at)) && isHostname(text.slice(at + 1));
}

/** The formats that are checked, each in time linear in the text. Any other `format` is an annotation. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: (text) => TIME.test(text),
  'date-time': isDateTime,
  email: isEmail,
  hostname: isHostname,
  ipv4: isIPv4,
  ipv6: isIPv6,
  uri: (text) => URI.test(text),
  uuid: (text) => UUID.test(text),
};

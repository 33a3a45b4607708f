import { folded } from '../../core/index.ts';

const WELL_KNOWN = new Set([
  'password',
  'password1',
  'password12',
  'password123',
  'password1234',
  'passw0rd',
  'p@ssw0rd',
  'p@ssword',
  '12345678',
  '123456789',
  '1234567890',
  '87654321',
  '11111111',
  '00000000',
  'qwertyui',
  'qwertyuiop',
  'qwerty123',
  '1q2w3e4r',
  'adminadmin',
  'admin123',
  'admin1234',
  'admin12345',
  'administrator',
  'changeme',
  'changeme1',
  'changeme123',
  'change-me',
  'change_me',
  'changeit',
  'letmein1',
  'letmein123',
  'welcome1',
  'welcome123',
  'secret123',
  'topsecret',
  'iloveyou',
  'vitrine1',
  'vitrine123',
  'rootroot',
  'test1234',
  'testtest',
  'default1',
]);

/** Whether a password is too well known for an administrator. */
export function isWellKnown(password: string, username: string): boolean {
  const key = folded(password);
  return WELL_KNOWN.has(key) || key === folded(username);
}

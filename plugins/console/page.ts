import { createHash } from 'node:crypto';

const IMPORT_MAP = /<script type="importmap">([^]*?)<\/script>/;

/**
 * Scripts, styles and requests from this server only, and no inline script but the import map, which says where pages of
 * plugins find React: what an algorithm answers cannot run code.
 */
export function policyOf(template: string): string {
  const map = IMPORT_MAP.exec(template)?.[1];
  const digest = map && ` 'sha256-${createHash('sha256').update(map).digest('base64')}'`;
  return [
    "default-src 'self'",
    `script-src 'self'${digest ?? ''}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The page for one of its addresses. A proxy may serve it below a prefix that this server never sees, so its links are
 * relative to the root of the console, which `<base>` names relative to the address.
 */
export function pageFor(
  template: string,
  path: string,
  { basePath, rootPath }: { readonly basePath: string; readonly rootPath: string },
): string {
  return template
    .replace('<base href="/"', `<base href="${rootSeenFrom(path, rootPath)}"`)
    .replace('content="api/v1"', `content="${basePath.slice(rootPath.length + 1)}"`);
}

function rootSeenFrom(path: string, rootPath: string): string {
  // The root itself, asked for without the slash at its end.
  if (path === rootPath) return `${path.slice(path.lastIndexOf('/') + 1)}/`;
  const depth = path.slice(rootPath.length + 1).split('/').length - 1;
  return depth === 0 ? './' : '../'.repeat(depth);
}

const SUPPORTED = '20.19 or later, 22.12 or later, or 24 and later';

/** Throws for a Node that the packages do not support; the same range as `engines` in package.json. */
export function refuseOldNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const supported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24;
  if (!supported) throw new Error(`Node ${version} is not supported. Install Node ${SUPPORTED}.`);
}

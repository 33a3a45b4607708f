/** Where a link of a document leads, if that is a page: `javascript:`, `data:` and places in the page are none. */
export function safeAddress(address: string): string | undefined {
  if (address === '' || address.startsWith('#') || !URL.canParse(address, document.baseURI)) return undefined;
  const { protocol, href } = new URL(address, document.baseURI);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

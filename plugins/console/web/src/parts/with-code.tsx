/** A sentence of the service, in which code stands between backticks. */
export function WithCode({ text }: { readonly text: string }) {
  // Every second part stood between two of them.
  return text.split('`').map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}

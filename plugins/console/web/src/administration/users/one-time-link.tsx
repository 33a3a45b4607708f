import { useEffect, useRef } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { adminText, showMoment } from '../../texts/text.ts';
import type { OneTimeLink } from '../queries.ts';

/** Whether the link is known only to this screen, because no mail took it to anybody. */
export function isToCopy(link: OneTimeLink | null | undefined): boolean {
  return link ? link.mail !== 'sent' : false;
}

/** A link that is shown once, to be handed over. */
export function LinkToHandOver({
  link,
  copied,
}: {
  readonly link: OneTimeLink;
  readonly copied: () => void;
}) {
  const words = adminText.links;
  const said = useRef<HTMLParagraphElement>(null);
  // The button that had the focus is gone.
  useEffect(() => said.current?.focus(), []);
  return (
    <div className="stack" onCopy={copied}>
      <p ref={said} className="notice good" role="status" tabIndex={-1}>
        <strong>{words.made}</strong>
        {words.until(showMoment(link.expires_at))}
      </p>
      <code className="code made-key">{link.url}</code>
      <div className="row">
        <CopyButton value={link.url} copied={copied} />
        <span className="small quiet">{words.mail[link.mail]}</span>
      </div>
      {link.mail_error && <p className="notice warn">{link.mail_error}</p>}
    </div>
  );
}

import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

interface ChoiceProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly isCurrent: boolean;
  readonly ref?: Ref<HTMLAnchorElement>;
}

function Choice({ isCurrent, ...props }: ChoiceProps) {
  return <a {...props} aria-current={isCurrent ? 'page' : undefined} />;
}

/** A link that is one of several choices. Which is the current one is said, as the router compares whole addresses. */
export const ChoiceLink = createLink(Choice);

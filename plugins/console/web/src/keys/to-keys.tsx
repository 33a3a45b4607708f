import { Link } from '@tanstack/react-router';
import { useIsOn } from '../pages/page-list.ts';
import { text } from '../texts/text.ts';

/** Leads to the API keys, where there are any. */
export function ToKeys({ className }: { readonly className?: string }) {
  return (
    useIsOn()('api-keys') && (
      <Link to="/keys" className={className}>
        {text.algorithm.getKey}
      </Link>
    )
  );
}

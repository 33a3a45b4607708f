import { useEffect } from 'react';
import { text } from '../texts/text.ts';

/** Names the screen in the title of the window. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${text.name}` : text.name;
  }, [title]);
}

import { useEffect } from 'react';
import { text, useLanguage } from '../texts/text.ts';

/** Names the screen in the title of the window, and shows it again in another language once one is chosen. */
export function useTitle(title: string | undefined): void {
  useLanguage();
  useEffect(() => {
    document.title = title ? `${title} · ${text.name}` : text.name;
  }, [title]);
}

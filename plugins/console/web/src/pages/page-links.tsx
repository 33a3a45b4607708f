import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { Icon } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';
import { usePageList, useWords, type PluginPage } from './page-list.ts';

/** Links to the pages of plugins, in the menu of a phone. */
export function PageLinks() {
  const pages = usePageList()?.pages ?? [];
  return pages.map((page) => <PageLink key={`${page.plugin} ${page.id}`} page={page} />);
}

/** The same behind a button, where the menu is a line. */
export function PagesButton() {
  const button = useRef<HTMLButtonElement>(null);
  const pages = usePageList()?.pages ?? [];
  if (pages.length === 0) return null;
  return (
    <>
      <button ref={button} type="button" className="more" popoverTarget="more-pages">
        {text.pages.more}
        <Icon name="down" size={14} />
      </button>
      <div
        id="more-pages"
        popover="auto"
        className="menu more-pages"
        onClick={(event) => event.currentTarget.hidePopover()}
        onBeforeToggle={({ currentTarget }) => {
          currentTarget.style.left = `${button.current?.getBoundingClientRect().left ?? 0}px`;
        }}
      >
        <PageLinks />
      </div>
    </>
  );
}

function PageLink({ page }: { readonly page: PluginPage }) {
  const words = useWords();
  return (
    <Link to="/pages/$plugin/$page" params={{ plugin: page.plugin, page: page.id }}>
      {words(page.title)}
    </Link>
  );
}

import { useEffect } from 'react';
import { NumberedPager } from '../parts/numbered-pager.tsx';
import { PAGE_SIZE, type Page } from './queries.ts';

/** Goes through the pages of a list that is a part of a screen. A page that has become empty leads to the one before. */
export function PartPager(props: {
  readonly found: { readonly data: Page<unknown> | undefined; readonly isPlaceholderData: boolean };
  readonly page: number;
  readonly go: (page: number) => void;
}) {
  const { found, page, go } = props;
  const { data, isPlaceholderData } = found;
  const isBeyond = page > 1 && !isPlaceholderData && data?.rows.length === 0;
  useEffect(() => {
    if (isBeyond) go(page - 1);
  }, [isBeyond, page, go]);
  if (!data) return null;
  return <NumberedPager page={page} pages={Math.ceil(data.total / PAGE_SIZE)} go={(to = 1) => go(to)} />;
}

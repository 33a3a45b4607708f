import { Link } from '@tanstack/react-router';
import { useIsOn } from '../pages/page-list.ts';
import { text } from '../texts/text.ts';

/** Leads to the history, where there is one. */
export function ToHistory() {
  return useIsOn()('history') && <Link to="/history">{text.results.toHistory}</Link>;
}

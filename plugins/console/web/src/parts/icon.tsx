const PATHS = {
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm9 16-4-4',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.500 10.500Z',
  sun: 'M12 7.500a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9ZM12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  grid: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z',
  rows: 'M4 5h16v14H4zM4 10h16M4 14.500h16',
  star: 'M12 4.500l2.300 4.800 5.200.7-3.800 3.600.9 5.200-4.600-2.500-4.600 2.500.9-5.200L4.500 10l5.200-.7z',
  filter: 'M4 6h16M7 12h10M10 18h4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  play: 'M8 5.500v13l10.500-6.500z',
  stop: 'M7 7h10v10H7z',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  chart: 'M4 4v16h16M8 16v-5M13 16V7M18 16v-8',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  language: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18ZM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  keyboard: 'M3 7h18v10H3zM7 10.500h.1M11 10.500h.1M15 10.500h.1M8 14h8',
  box: 'M4 8l8-4 8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 8v4.500l3 2',
  key: 'M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM11 12.200 19.500 4M16 7.500l3 3',
  cloud:
    'M4 4l16 16M8 18h9a4 4 0 0 0 2.500-7M6.500 9.500A4.500 4.500 0 0 0 8 18M10 6.300A5.500 5.500 0 0 1 17 11',
  up: 'M6 15l6-6 6 6',
  down: 'M6 9l6 6 6-6',
  user: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4.500 20a7.500 7.500 0 0 1 15 0',
  users:
    'M9 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7ZM2.500 19a6.500 6.500 0 0 1 13 0M16 5.500a3.500 3.500 0 0 1 0 6.500M18.500 14a6.500 6.500 0 0 1 3 5',
} as const;

export type IconName = keyof typeof PATHS;

/** A drawing beside a text; it says nothing of its own. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === 'play' || name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.800"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

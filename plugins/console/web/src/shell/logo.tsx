/** The mark of Vitrine. */
export function Logo() {
  return (
    <svg width="30" height="30" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="9" fill="#0d6b5f" />
      <path
        d="M8 10l8 14 8-14"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle cx="16" cy="10" r="2.6" fill="#8fe3cf" />
    </svg>
  );
}

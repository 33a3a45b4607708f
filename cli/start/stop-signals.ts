/** What ends the service in order. SIGHUP comes when the terminal that it was started in is closed. */
export const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

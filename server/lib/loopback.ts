/** The names and addresses of this machine alone; `*.localhost` are by RFC 6761. One rule with those of the CLI and devnet. */
const LOOPBACK = /^(?:(?:[a-z0-9_-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\]|::1)$/i;

/** Returns true if a host's name or address leads to this machine alone. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

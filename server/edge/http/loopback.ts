/** The name by which a caller reaches this machine, with or without a port. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Whether the Host header is a loopback name. What only this machine may read demands it: a page on a name that was led to
 * loopback after it had loaded (DNS rebinding) comes from this machine too, and looks like any other caller but for its Host.
 */
export const hasLoopbackHost = (host: string | undefined): boolean => host !== undefined && LOOPBACK.test(host);

/** The names of this machine on loopback, with or without a port. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Returns true if the Host header is a loopback name. Data for this machine alone requires it: a page whose name was
 * pointed to loopback after it had loaded (DNS rebinding) also calls from this machine, and only its Host differs.
 */
export const hasLoopbackHost = (host: string | undefined): boolean => host !== undefined && LOOPBACK.test(host);

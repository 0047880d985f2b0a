import { isLoopback } from "../../lib/loopback.ts";

/**
 * Returns true if the Host header is a loopback name. Data for this machine alone requires it: a page whose name was
 * pointed to loopback after it had loaded (DNS rebinding) also calls from this machine, and only its Host differs.
 */
export const hasLoopbackHost = (host: string | undefined): boolean => host !== undefined && isLoopback(nameOf(host));

/** The name of a Host header, without its port. */
export const nameOf = (host = ""): string => host.toLowerCase().replace(/:\d{1,5}$/, "");

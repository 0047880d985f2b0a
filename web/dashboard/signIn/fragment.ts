/**
 * Reads the part of a link behind its `#`: browsers send it to no server. It stays in the address until it is used, so
 * that the page can be loaded again.
 */
export const readFragment = (name: string): string | null =>
  new URLSearchParams(location.hash.replace(/^#/, "")).get(name);

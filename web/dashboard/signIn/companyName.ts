/** The name of the company by whose provider users sign in (§13.24); null if this deployment sets none. */
export const COMPANY = document.documentElement.dataset.company ?? null;

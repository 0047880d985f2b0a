/** The API versions (§9), newest first. Today there is one. */
export const API_VERSIONS = ["2026-11-20"] as const;
export const API_VERSION = API_VERSIONS[0];

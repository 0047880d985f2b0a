/** §9: the API versions, newest first. Today one. */
export const API_VERSIONS = ["2026-11-20"] as const;
export const API_VERSION = API_VERSIONS[0];

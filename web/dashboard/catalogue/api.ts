export const api = {
  unreadable: "The answer could not be read. Something between this page and the service changed it.",
  unreachable: "The service cannot be reached. Check your connection and try again.",
  failed: "Something went wrong on this page. Reload it.",
} as const;

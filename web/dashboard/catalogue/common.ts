/** Texts of several folders. */
export const common = {
  actions: "Actions",
  cancel: "Cancel",
  done: "Done",
} as const;

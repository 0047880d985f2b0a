/** Texts of several folders. */
export const common = {
  actions: "Actions",
  cancel: "Cancel",
  continue: "Continue",
  done: "Done",
  remove: "Remove",
} as const;

/** Texts of several folders. */
export const common = {
  actions: "Actions",
  cancel: "Cancel",
  continue: "Continue",
  done: "Done",
  email: "Email",
  remove: "Remove",
} as const;

/** The words of a dispute that buyers, merchants and arbiters read alike. */
export const DISPUTE_TEXTS = {
  offerStatuses: {
    open: "Open",
    accepted: "Accepted",
    declined: "Declined",
    withdrawn: "Withdrawn",
    replaced: "Not open any more",
    expired: "Expired",
  },
  track: {
    opened: "Opened",
    talk: "Both sides talk",
    talked: "Both sides talked",
    decide: "The arbiter decides",
    decided: "The arbiter decided",
    lapse: "If nobody decides",
  },
  files: {
    kinds: { pdf: "PDF", text: "Text" },
    choose: "Files to send",
    hint: (other: "buyer" | "shop") =>
      `Pictures, PDFs and plain texts of up to 5 MB. The ${other} and the arbiter see them, and nobody can change or delete them. The place and other hidden data of pictures are removed.`,
    asWord:
      "While the arbiter decides, a file counts as your one answer: send your text first. Files can follow for an hour.",
    send: "Send files",
    count: (sent: number, most: number) => `${sent} of ${most} sent`,
    progress: "Progress",
  },
  /** While files are sent; `{name}` is the file's. */
  sending: {
    file: "Sending {name} …",
    size: "A file has 1 byte to 5 megabytes.",
    unread: "The file could not be read. Choose it again.",
    insecure: "Files cannot be sent without https.",
  },
} as const;

/**
 * The words of a dispute, told once for buyers, merchants and arbiters, on their pages, receipts and in emails. `{…}` marks
 * the place of an element, such as a time.
 */

/** The arbiter’s ruling, on the pages of a dispute and on the receipt. */
export const DECISION_TEXTS = {
  title: "The decision",
  agreed: "Ruled as both sides agreed.",
  elsewhere: "Decided outside this service, without reasons.",
  /** Why no record belongs to a ruling, by its memo. */
  memos: {
    unknown: "The arbiter’s memo names no record of this service.",
    none: "The ruling has no memo.",
    other_signer: "The ruling has a memo that the arbiter did not sign.",
    several: "The arbiter signed more than one memo, so none of them counts.",
  },
  arbiter: "Arbiter",
  time: "Decided",
  transaction: "Transaction",
  hash: "Fingerprint in its memo",
} as const;

/** What everybody reads in the same words. */
const SHARED = {
  offerStatuses: {
    open: "Open",
    accepted: "Accepted",
    declined: "Declined",
    withdrawn: "Withdrawn",
    replaced: "Not open any more",
    expired: "Ended",
  },
  questions: {
    open: "It can be answered until {time}.",
    over: "It could be answered until {time}.",
    answered: "It was answered.",
    answeredOpen: "It was answered. Both sides can write until {time}.",
    decided: "The question ended with the decision on {decided}. It could have been answered until {time}.",
  },
  erasedAt: "Erased on {time}",
} as const;

/** The words to one side about the `other`. */
const wordsTo = <const Other extends "buyer" | "shop">(other: Other) => {
  const [own, theirs] = other === "shop" ? (["release", "refund"] as const) : (["refund", "release"] as const);
  const fails = "If the chain does not show the agreement by then, it fails, and the arbiter decides.";
  const back = other === "shop" ? "you" : "the buyer";
  const lapses = `If the chain does not show the agreement by then, what is in the escrow goes back to ${back}.`;
  const silent = "the arbiter decides on what stands here.";
  return {
    ...SHARED,
    /** Whose turn it is, until when. */
    head: {
      yours: "Your turn until {time}",
      others: `The ${other}’s turn until {time}`,
      asked: "The arbiter asks you. Answer until {time}",
      arbiter: "The arbiter is to decide by {time}",
      overdue: "The arbiter was to decide by {time}",
      lapsed: "Nobody decided in time",
      agreedYours: `Both agreed. Your ${own} is next, until {time}`,
      agreedOthers: `Both agreed. The ${other}’s ${theirs} is next, until {time}`,
      decided: "The arbiter has decided",
      paused: "Paused",
      closed: "Closed",
    },
    /** What follows from silence. */
    silence: {
      yours: `Answer, make an offer, or write what the arbiter should know. If you do nothing, ${silent}`,
      others: `The ${other} can answer, make an offer${other === "shop" ? ", or send the money back" : ", or release the money"}. If nothing comes, ${silent}`,
      asked: `The arbiter asked both of you a question. If you do not answer, ${silent}`,
      askedAlone: `The arbiter asked you a question. If you do not answer, ${silent}`,
      reply: `The ${other} has answered the arbiter’s question, and you can reply. If you do not, ${silent}`,
      spent: `You have sent as many texts as you may. If you do nothing more, ${silent}`,
      othersAsked: `The arbiter asked both of you a question, and the ${other} has not answered. If no answer comes, ${silent}`,
      othersAskedAlone: `The arbiter asked the ${other} a question. If no answer comes, ${silent}`,
      othersReply: `You have answered the arbiter’s question, and the ${other} can reply. If no reply comes, ${silent}`,
      arbiter: "The arbiter decides on what stands here. You can still agree with each other.",
      failed: "The arbiter decides on what stands here. Your agreement failed, and there is no second one.",
      lapsed: `What is in the escrow goes back to ${back}, usually by itself within minutes. If it does not, anyone can send it.`,
      agreedYours: `Your ${own} comes next. ${fails}`,
      agreedOthers: `The ${other}’s ${theirs} comes next. ${fails}`,
      agreedYoursLast: `Your ${own} comes next. ${lapses}`,
      agreedOthersLast: `The ${other}’s ${theirs} comes next. ${lapses}`,
      decided: "What each of you gets is leaving the escrow, usually by itself within minutes.",
      paused:
        "The network took the opening of the dispute back. The dispute goes on when the network shows it again; all texts are kept.",
      closed: "This dispute has ended. The receipt shows who got what.",
    },
    /** Beside a question that the other side is to answer. */
    writeToo: "You can write until then, too.",
    answerOnce: "You can still write once, until {time}.",
    othersAnswerOnce: `The ${other} can still write once, until {time}.`,
    bothWrite: "After the arbiter’s question, both of you can write until {time}.",
    cannotWrite: `You cannot write now: the arbiter decides on what stands here. This page says so if you can write again.`,
    /** The steps of the dispute. */
    track: {
      opened: { title: "Opened", text: "{time}. This froze the money." },
      talk: { title: "Both sides talk", text: "Until {time}" },
      talked: { title: "Talking ended", text: "{time}" },
      agreed: { title: "Both sides agreed", text: "Until {time}, both can carry it out" },
      decide: { title: "The arbiter decides", text: "Due by {time}" },
      decideLate: {
        title: "The arbiter decides",
        text: "Due by {time}. The question came late: answers can come after that.",
      },
      decideElse: { title: "If that fails, the arbiter decides", text: "Due by {time}" },
      lapsed: { title: "The time to decide is over", text: "{time}" },
      decided: { title: "The arbiter decided", text: "{time}" },
      asAgreed: { title: "Both sides did as agreed", text: "All of the money had left by {time}" },
      ended: { title: "The dispute ended", text: "All of the money had left by {time}" },
      lapse: {
        title: "If nobody decides",
        text:
          other === "shop"
            ? "From {time}, what is in the escrow goes back to you."
            : "From {time}, anyone can send what is in the escrow back to the buyer.",
      },
    },
    /** Where no date of the decision is set yet. */
    decideLater: "If you do not agree. The date is set when talking ends.",
    /** Where its date is past. */
    decideOverdue: "Was due by {time}",
    overdue: `The decision is overdue. The arbiter can still decide until {time}; then what is in the escrow goes back to ${back}.`,
    /** What an author did, behind the author's name. */
    said: {
      opened: "opened the dispute on {time}, signed on chain",
      wrote: "wrote on {time}",
      offered: "made an offer on {time}",
      asked: {
        both: "asked both sides on {time}",
        buyer: other === "shop" ? "asked you on {time}" : "asked the buyer on {time}",
        merchant: other === "shop" ? "asked the shop on {time}" : "asked you on {time}",
      },
    },
    /** The sentence names who was asked and did not answer, once a question has ended. */
    unanswered: {
      both: "Neither of you answered it.",
      buyer: other === "shop" ? "You did not answer it." : "The buyer did not answer it.",
      merchant: other === "shop" ? "The shop did not answer it." : "You did not answer it.",
    },
    ownOffer: `The ${other} can accept your offer.`,
    offering: {
      make: "Make an offer",
      sentence: `A sentence to the ${other} (optional)`,
      decline: "Decline",
      withdraw: "Withdraw",
      replaces: "A new offer replaces your open one.",
    },
    asking: {
      ask: "Ask for the arbiter",
      text: "If both of you ask, talking ends, and the arbiter decides. You cannot take it back.",
      textLast: `The ${other} has asked. If you ask too, talking ends now, and you cannot take it back.`,
      asked: `You have asked for the arbiter. Talking goes on until the ${other} asks, too, or its time ends.`,
      othersAsked: `The ${other} has asked for the arbiter. If you ask too, talking ends at once, and the arbiter decides. Otherwise you both talk at least until {time}.`,
    },
    files: {
      kinds: { pdf: "PDF", text: "Text" },
      title: "Files",
      choose: "Files to send",
      hint: `Pictures, PDFs and plain texts of up to 5 MB. The ${other} and the arbiter see them, and nobody can change or delete them. The place and other hidden data of pictures are removed.`,
      asWord: `While the arbiter decides, a file counts as your one answer: send your text first.`,
      follow: `Files can follow your answer for an hour, or until the ${other} answers.`,
      send: "Send files",
      count: (sent: number, most: number) => `${sent} of ${most} sent`,
      progress: "Progress",
      /** While files are sent; `{name}` is the file's. */
      sending: {
        file: "Sending {name} …",
        size: "A file has 1 byte to 5 megabytes.",
        unread: "The file could not be read. Choose it again.",
        insecure: "Files cannot be sent without https.",
      },
    },
  } as const;
};

export const BUYER_TEXTS = {
  ...wordsTo("shop"),
  unsaid:
    "Your dispute is open, and what is in the escrow is frozen. Nobody has read a word of yours yet: say what is wrong. If you do not, and do not agree with the shop, the arbiter decides without a word of yours.",
  offered: (amount: string) => `The shop offers ${amount} to you, and you can accept that.`,
} as const;

export const MERCHANT_TEXTS = {
  ...wordsTo("buyer"),
  unsaid:
    "The buyer has not said yet what is wrong. You can write, make an offer, or send the money back. If nothing comes, the arbiter decides on what stands here.",
  offered: (amount: string) => `The buyer would take ${amount}, and you can accept that.`,
} as const;

/** The words to the arbiter about both. */
export const ARBITER_TEXTS = {
  lapse: {
    ahead: "If nobody decides by {time}, anyone can then send what is in the escrow back to the buyer.",
    past: "Nobody decided by {time}: anyone can send what is in the escrow back to the buyer.",
  },
  paused: MERCHANT_TEXTS.silence.paused,
  answerOnce: { buyer: MERCHANT_TEXTS.othersAnswerOnce, merchant: BUYER_TEXTS.othersAnswerOnce },
} as const;

/** The news of a dispute in an email to one side about the `other`. */
const newsTo = <const Other extends "buyer" | "shop">(other: Other) =>
  ({
    subjects: {
      opened: "A dispute was opened",
      offer: `The ${other} of a dispute made an offer`,
      turn: "It is your turn in a dispute",
      due_soon: "Your turn in a dispute ends soon",
      closed: "A dispute was decided or closed",
    },
    sentences: {
      opened: "A dispute was opened.",
      offer: `The ${other} made an offer.`,
      turn: "It is your turn until {time}.",
      due_soon: "Your turn ends on {time}.",
      closed: "The dispute was decided or closed.",
    },
  }) as const;

export const NEWS_TEXTS = { buyer: newsTo("shop"), merchant: newsTo("buyer") } as const;

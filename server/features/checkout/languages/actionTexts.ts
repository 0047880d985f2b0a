/**
 * Texts of the script for actions on a payment, on the receipt and on the form to open a dispute; `{…}` marks the values
 * that the script fills in. They go to the script with the page's data.
 */
export const ACTION_ENGLISH = {
  nothing: "Nothing was changed",
  tokens: "tokens",
  lessThanAMinute: "less than a minute",
  lost: "The connection is gone. Your payment is not lost: this page asks again by itself.",

  disputeTitle: "Open the dispute?",
  disputeText:
    "This freezes {amount} at once. The shop can still send them back, the arbiter can decide, and after 90 days without a decision all of it goes back to you.",
  releaseTitle: "Release the money now?",
  releaseText: "Releasing pays the shop {shop} now. This cannot be undone.",
  releaseTextKept: "Releasing pays the shop {shop} now; {buyer} stay yours. This cannot be undone.",
  releaseDisputedText:
    "This ends your dispute. The shop gets {shop}, and you get nothing back. No shop needs this to refund you. This cannot be undone.",
  releaseDisputedTextKept:
    "This ends your dispute. The shop gets {shop}, and you keep {buyer}. No shop needs this to refund you. This cannot be undone.",
  settleText: "The time to object is over. This sends {shop} to the shop, as happens by itself otherwise.",
  refundUnresolvedText: "Nobody decided within 90 days. This sends {amount} back to the wallet that paid, {sender}.",
  payOutSenderText: "This sends {buyerRest} to the wallet that paid, {sender}. Nobody can take it back.",
  payOutRecipientText: "This sends {shopRest} to the shop, as was decided.",
  closeText:
    "This closes the payment’s record on chain and returns its deposit to {payer}. The chain then keeps only how the payment ended: save this page first.",
  rentPayer: "the wallet that paid it",
  releaseWith: "Release with {wallet}",
  signWith: "Sign with {wallet}",

  typeAmount: "Type {amount} to confirm that the shop gets it",
  typeAmountWrong: "Type {amount} first. Nothing was signed.",
  neededWallet: "This needs the wallet that paid, {needed}.",
  anyWallet: "Any wallet may send this. It pays the network’s fee and gets nothing.",
  cancel: "Cancel",

  confirmIn: "Confirm in {wallet}. The network takes {cost} SOL.",
  confirmFree: "Confirm in {wallet}. You need no SOL.",
  makesAccount: "{account} SOL of it make your account for this token; they come back if you close that account.",
  returns: "{back} SOL of deposit come back to {to}.",
  otherTab: "Another tab is doing this right now. Finish there, or go on here if you closed it.",

  noWallet: "No wallet was found in this browser. Install one, or use another way below.",
  walletElsewhere: "{wallet} is on another network",
  openIn: "Open in {wallet}",
  openAppText: "The same page opens in the app’s own browser, where its wallet can sign.",
  phone: "Sign with your phone",
  phoneText: "Scan it with the camera of a wallet’s app. The app shows what it signs; this page follows by itself.",
  phoneNeedsHttps: "A wallet’s app only accepts a code of an https address, and this site runs without.",
  solanaPay: "Open a wallet’s app by a Solana Pay link",
  multisig: "Instructions for a multisignature wallet",
  multisigText:
    "For {needed}, if it is an account of several signers. They are for this action alone, and its members may take their time.",
  multisigMake: "Prepare the instructions",
  multisigInstructions: "Instructions (JSON)",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Could not copy. Select the text, and copy it by hand.",

  demo: "Demo wallet",
} as const;

type Texts = Readonly<Record<string, string>>;

/** Fills the gaps of a catalogue text. */
export const fill = (text: string | undefined, values: Texts): string =>
  (text ?? "").replaceAll(/\{(\w+)\}/g, (gap, name: string) => values[name] ?? gap);

export const solText = (lamports: string, locale: string): string =>
  new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 }).format(Number(lamports) / 1e9);

/** The ways in which every use of a wallet can end without a transaction that was certainly sent. */
type UnsentEnding =
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "wallet_failed" | "unexpected_bytes"; readonly reason: string }
  | { readonly kind: "rejected" | "wrong_network" | "no_account" | "unknown" | "no_answer" | "too_late" };

/** Says how the use of a wallet ended. */
export function endText(texts: Texts, ending: UnsentEnding, wallet: string): string {
  switch (ending.kind) {
    case "refused":
      return ending.message;
    case "wallet_failed":
      return fill(texts.walletFailed, { wallet, reason: ending.reason });
    case "unexpected_bytes":
      return fill(texts.refusedBytes, { reason: ending.reason });
    case "rejected":
      return texts.rejected ?? "";
    case "wrong_network":
      return fill(texts.wrongNetwork, { wallet });
    case "no_account":
      return texts.noAccount ?? "";
    case "unknown":
      return texts.unknownSent ?? "";
    case "too_late":
      return texts.tooLate ?? "";
    case "no_answer":
      return texts.network ?? "";
  }
}

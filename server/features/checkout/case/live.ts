interface Shown {
  readonly version: number;
  readonly parts: string | null;
  readonly final: boolean;
}

/**
 * The state of a case for its script: the receipt's, that grows with the case's own version too. A case may be written in
 * after the payment has ended nowhere; it is final with its payment.
 */
export function caseVersion({ version, parts, final }: Shown, ofCase: string): Shown {
  // Both only grow, so their sum says which of two states is the newer one.
  const [own = "0"] = ofCase.split(" ");
  return { version: version + Number(own), parts: `${parts}/${ofCase}`, final };
}

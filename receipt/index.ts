export { canonicalJson, parseDelivery } from "@holdfast/escrow-client";
export { encodeAccount, encodeTombstone, type PaymentFigures } from "./account.ts";
export { type Node, type NodeAnswer, openNode } from "./nodes.ts";
export type { Receipt, SignedReceipt } from "./receipt.ts";
export {
  createSigningKey,
  type DeploymentKeys,
  type PublicKey,
  parseDeploymentKeys,
  type SigningKey,
  signReceipt,
} from "./signature.ts";
export { compareTerms, parseTerms } from "./terms.ts";
export { describeVerdict, plain, showVerdict } from "./text.ts";
export { type Verdict, verifyReceipt } from "./verify.ts";
export { UnreachedError, UsageError, type VerifyFileOptions, verifyFile } from "./verifyFile.ts";

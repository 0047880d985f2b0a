export { encodeAccount, encodeTombstone, type PaymentFigures } from "./account.ts";
export type { Node, NodeAnswer } from "./nodes.ts";
export type { Receipt, SignedReceipt } from "./receipt.ts";
export {
  createSigningKey,
  type DeploymentKeys,
  type PublicKey,
  type SigningKey,
  signReceipt,
} from "./signature.ts";
export { type Verdict, verifyReceipt } from "./verify.ts";

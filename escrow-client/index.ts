export * from "./accounts.ts";
export * from "./addresses.ts";
export * from "./constants.ts";
export * from "./decision.ts";
export * from "./errors.ts";
export {
  INSTRUCTION_KINDS,
  type InstructionKind,
  instructionKind,
  namesPayment,
  OPERATOR_ACCOUNT_INDEX,
  PAYMENT_ACCOUNT_INDEX,
  type PaymentRef,
  type ProgramInstruction,
} from "./instruction.ts";
export * from "./jws.ts";
export * from "./offer.ts";
export * from "./operator.ts";
export * from "./payment.ts";
export * from "./payout.ts";
export * from "./terms.ts";

import type { FailedTransactionMetadata } from "litesvm";

/** A failure as JSON-RPC spells it: a bare name, or an object with one member. */
export type Failure = string | { readonly [kind: string]: unknown };

// In the order of the runtime's own enumerations, which is how the virtual machine numbers them.
const TRANSACTION_ERRORS = (
  "AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed " +
  "BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure " +
  "ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount " +
  "WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound " +
  "InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount " +
  "WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded " +
  "InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled"
).split(" ");
const INSTRUCTION_ERRORS = (
  "GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId " +
  "MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId " +
  "ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex " +
  "ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed " +
  "AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange " +
  "ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds " +
  "InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete " +
  "ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow UnsupportedSysvar " +
  "IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded MaxInstructionTraceLengthExceeded " +
  "BuiltinProgramsMustConsumeComputeUnits BorshIoError"
).split(" ");

const SAID: Readonly<Record<string, string>> = {
  AccountNotFound: "Attempt to debit an account but found no record of a prior credit.",
  AlreadyProcessed: "This transaction has already been processed",
  BlockhashNotFound: "Blockhash not found",
  InsufficientFundsForFee: "Insufficient funds for fee",
  InvalidAccountForFee: "This account may not be used to pay transaction fees",
  ProgramAccountNotFound: "Attempt to load a program that does not exist",
  SignatureFailure: "Transaction did not pass signature verification",
  InsufficientFunds: "insufficient funds for instruction",
  MissingRequiredSignature: "missing required signature for instruction",
  InvalidAccountData: "invalid account data for instruction",
  InvalidInstructionData: "invalid instruction data",
  NotEnoughAccountKeys: "insufficient account keys for instruction",
  ComputationalBudgetExceeded: "Computational budget exceeded",
  ProgramFailedToComplete: "Program failed to complete",
};

/** An error of the virtual machine, in JSON-RPC's spelling. */
export function showFailure(failed: FailedTransactionMetadata): Failure {
  const error = failed.err();
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? `Unknown${error}`;
  if ("err" in error) {
    const inner = error.err();
    if (typeof inner === "number")
      return { InstructionError: [error.index, INSTRUCTION_ERRORS[inner] ?? `Unknown${inner}`] };
    return { InstructionError: [error.index, "code" in inner ? { Custom: inner.code } : "BorshIoError"] };
  }
  if ("index" in error) return { DuplicateInstruction: error.index };
  const kind = error.constructor.name.includes("Rent")
    ? "InsufficientFundsForRent"
    : "ProgramExecutionTemporarilyRestricted";
  return { [kind]: { account_index: error.accountIndex } };
}

/** Returns true when a block would hold the transaction as failed (its fee taken), rather than never take it in. */
export const landsAsFailed = (failure: Failure): boolean => typeof failure !== "string";

/** The failure in the words a validator uses. */
export function describeFailure(failure: Failure): string {
  if (typeof failure === "string") return SAID[failure] ?? failure;
  const inner = failure.InstructionError;
  if (!Array.isArray(inner)) return Object.keys(failure)[0] ?? "unknown";
  const [index, cause] = inner as [number, string | { Custom: number }];
  const text =
    typeof cause === "string" ? (SAID[cause] ?? cause) : `custom program error: 0x${cause.Custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${text}`;
}

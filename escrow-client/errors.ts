/**
 * Every refusal of the program: custom error code → name and sentence. Codes are never renumbered or reused.
 * They begin at 7000, so that they cannot be taken for the errors of the token, system and associated-token programs.
 */
export const PROGRAM_ERRORS = {
  7000: ["unknown_instruction", "The first byte names no instruction of this program."],
  7001: ["malformed_instruction", "The instruction's data has the wrong length or an impossible value."],
  7002: ["missing_accounts", "The instruction was given too few accounts."],
  7003: ["missing_signature", "An account that must sign did not."],
  7004: ["not_an_operator", "Account 0 is not an operator account of this program."],
  7005: ["not_a_payment", "Account 1 is not a payment account of this program."],
  7006: ["payment_closed", "The payment was closed; only its tombstone is left."],
  7007: ["wrong_operator", "The payment belongs to another operator."],
  7008: ["wrong_address", "The account to be created is not at the address derived for it."],
  7009: ["operator_exists", "This authority already has an operator account."],
  7010: ["invalid_arbiter", "The arbiter's address is empty."],
  7011: ["wrong_authority", "Only the operator's authority may do this."],
  7012: ["not_proposed", "This key was not proposed for the role."],
  7013: ["payment_exists", "The sender already made a payment with this id."],
  7014: ["sender_is_recipient", "The sender and the recipient are the same."],
  7015: ["invalid_recipient", "The recipient is an account of this program."],
  7016: ["zero_amount", "The amount is zero."],
  7017: ["invalid_period", "There is no such protection period."],
  7018: ["offer_expired", "The time up to which this payment could be made has passed."],
  7019: ["wrong_token_program", "The token program is neither SPL Token nor Token-2022, or not the payment's."],
  7020: ["wrong_mint", "The mint is not a mint of the token program, or not the payment's."],
  7021: ["wrong_vault", "The vault is not the payment account's associated token account."],
  7022: ["amount_not_received", "The vault did not receive exactly the amount (a token that takes a fee?)."],
  7023: ["wrong_sender", "This is not the payment's sender."],
  7024: ["wrong_recipient", "This is not the payment's recipient."],
  7025: ["wrong_arbiter", "This is not the payment's arbiter."],
  7026: ["already_disputed", "The payment is disputed."],
  7027: ["not_disputed", "The payment is not disputed."],
  7028: ["already_paid_out", "All that was due has already left the vault."],
  7029: ["not_paid_out", "Not all that is due has left the vault."],
  7030: ["protection_over", "The protection deadline has passed; a dispute can no longer be opened."],
  7031: ["protection_running", "The protection deadline has not been reached."],
  7032: ["arbitration_over", "90 days have passed since the dispute; the arbiter may no longer resolve it."],
  7033: ["arbitration_running", "90 days have not passed since the dispute."],
  7034: ["wrong_beneficiary", "The beneficiary is not the one to whom the funds go."],
  7035: ["wrong_destination", "The destination is not the beneficiary's token account for this mint."],
  7036: ["vault_short", "The vault holds less than what is still to leave."],
  7037: ["retention_running", "90 days have not passed since the last part left the vault."],
  7038: ["destination_frozen", "The beneficiary's token account is frozen; they may name another one and sign."],
  7039: ["vault_frozen", "The token's issuer has frozen the vault."],
  7040: ["already_decided", "It is decided who gets what; the parts may leave."],
  7041: ["nothing_due", "Nothing is due to this side now."],
  7042: ["invalid_total", "The total is above the amount, or not above what the sender is to have already."],
  7043: ["less_bound", "The sender would keep less than this release says; the recipient's refund is missing."],
  7044: ["arbiter_changed", "The operator's arbiter is not the one the payment names."],
  7045: ["destination_missing", "The beneficiary has no token account for this mint; make it first."],
  7046: ["vault_open", "The vault is still there; send a payout to sweep and close it first."],
  7047: [
    "rent_payer_short",
    "The rent payer would hold less than the minimum for its size; it may sign to close anyway.",
  ],
  7048: [
    "rent_risen",
    "The record holds less than today's minimum, so closing would burn it; the rent payer may sign to close anyway.",
  ],
  7049: ["wrong_rent_payer", "This is not the payment's rent payer."],
} as const satisfies Record<number, readonly [name: string, message: string]>;

export type ProgramErrorCode = keyof typeof PROGRAM_ERRORS;
export type ProgramErrorName = (typeof PROGRAM_ERRORS)[ProgramErrorCode][0];

export interface ProgramErrorInfo {
  readonly code: ProgramErrorCode;
  readonly name: ProgramErrorName;
  readonly message: string;
}

/** The name and message of a custom error code of this program; null for codes of other programs. */
export function findProgramError(code: number): ProgramErrorInfo | null {
  if (!Object.hasOwn(PROGRAM_ERRORS, code)) return null;
  const known = code as ProgramErrorCode;
  const [name, message] = PROGRAM_ERRORS[known];
  return { code: known, name, message };
}

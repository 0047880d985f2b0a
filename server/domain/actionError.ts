/** Reasons why an action of the admin CLI, or of staff, is refused. */
export type ActionErrorCode =
  | "business_name_invalid"
  | "business_not_found"
  | "support_contact_invalid"
  | "refund_policy_invalid"
  | "return_url_invalid"
  | "intent_lifetime_invalid"
  | "reporting_currency_invalid"
  | "time_zone_invalid"
  | "locale_invalid"
  | "color_invalid"
  | "chain_not_configured"
  | "chain_not_joined"
  | "chain_in_use"
  | "key_rate_invalid"
  | "key_limit_reached"
  | "key_not_found"
  | "key_not_active"
  | "key_already_revoked"
  | "webhook_keys_missing"
  | "endpoint_url_invalid"
  | "endpoint_types_invalid"
  | "endpoint_limit_reached"
  | "endpoint_not_found"
  | "delivery_not_found"
  | "resends_waiting"
  | "resend_differs"
  | "object_has_no_events"
  | "key_name_invalid"
  | "domain_invalid"
  | "domain_not_claimed"
  | "domain_look_too_soon"
  | "recipient_unusable"
  | "recipient_doubtful"
  | "recipient_already"
  | "recipient_limit_reached"
  | "recipient_not_found"
  | "recipient_held"
  | "wallet_not_recipient"
  | "wallet_short"
  | "transaction_invalid"
  | "transaction_refused"
  | "link_closed"
  | "link_limit_reached"
  | "test_under_way"
  | "test_not_arrived"
  | "member_not_found"
  | "member_already"
  | "role_not_assignable"
  | "last_owner"
  | "invitation_not_found"
  | "invitation_open"
  | "invitation_unusable"
  | "invitation_for_another"
  | "email_invalid"
  | "name_invalid"
  | "password_invalid"
  | "link_unusable"
  | "user_not_found"
  | "user_already"
  | "session_not_found"
  | "second_factor_unavailable"
  | "second_factor_already"
  | "second_factor_missing"
  | "code_wrong"
  | "passkey_not_found"
  | "passkey_invalid"
  | "passkey_limit_reached"
  | "password_missing"
  | "password_exposed"
  | "password_wrong"
  | "company_unavailable"
  | "company_answer_invalid"
  | "company_refused"
  | "company_unknown"
  | "company_linked"
  | "company_not_linked"
  | "code_needed"
  | "last_credential"
  | "role_by_group";

/** An action that is refused. The message says how to go on; the CLI prints it and a page shows it. */
export class ActionError extends Error {
  override readonly name = "ActionError";
  readonly code: ActionErrorCode;

  constructor(code: ActionErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const FOREIGN_KEY_VIOLATION = "23503";

/** Wraps an insert under a business: turns the foreign key's refusal into an error that names the business. */
export const explainMissingBusiness =
  (businessId: string) =>
  (error: unknown): never => {
    if (error instanceof Error && "code" in error && error.code === FOREIGN_KEY_VIOLATION)
      throw new ActionError("business_not_found", `There is no business ${businessId}.`);
    throw error;
  };

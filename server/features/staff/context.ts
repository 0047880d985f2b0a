import type { SecretCookie } from "../../edge/http/secretCookie.ts";
import type { Context } from "../context.ts";
import type { Provider } from "./provider/provider.ts";

/** The cost of scrypt: 2^ln blocks of r, p times. Each hash stores its own, so the cost can be raised account by account. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** The context of users, sessions and members. */
export interface StaffContext extends Context {
  readonly cookie: SecretCookie;
  readonly browserCookie: SecretCookie;
  /** Binds a way to the company's provider and back to the browser. */
  readonly companyCookie: SecretCookie;
  /** The provider of the company sign-in; null: none is set. */
  readonly company: Provider | null;
  /** True if the deployment sends emails. If it does not, links are handed out. */
  readonly sendsEmails: boolean;
  readonly passwordCost: PasswordCost;
}

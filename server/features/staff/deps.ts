import type { Sealing } from "../../domain/sealing.ts";
import type { SecretCookie } from "../../edge/http/secretCookie.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";
import type { Provider } from "./provider/provider.ts";

/** The cost of scrypt: 2^ln blocks of r, p times. Each hash stores its own, so the cost can be raised account by account. */
export interface PasswordCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

export interface StaffDeps {
  readonly database: Database;
  /** The dashboard's address. Its host is the relying party of passkeys. */
  readonly dashboardUrl: string;
  readonly cookie: SecretCookie;
  readonly browserCookie: SecretCookie;
  /** Binds a way to the company's provider and back to the browser. */
  readonly companyCookie: SecretCookie;
  /** The provider of the company sign-in; null: none is set. */
  readonly company: Provider | null;
  /** True if the deployment sends emails. If it does not, links are handed out. */
  readonly sendsEmails: boolean;
  readonly log: Log;
  readonly passwordCost: PasswordCost;
  /** The deployment's encryption; null if it has no keys, and then nobody can add an authenticator app. */
  readonly sealing: Sealing | null;
}

import type { Database } from "../../server/store/database.ts";

/** A row of the history, at random, and its tenant. */
export interface Target {
  readonly tenant: { readonly businessId: string; readonly environment: "test" };
  readonly key: string;
  readonly intent: string;
  /** The intent's number, from which its reference and its sequences are made. */
  readonly number: number;
  readonly createdAt: Date;
  /** The payment's address, where the intent was paid. */
  readonly payment: string | null;
}

/** A statement that the service runs so often that its cost must not grow with the rows. */
export interface Statement {
  readonly name: string;
  /** `unmeasured` is the same connection, for statements that look up a parameter first. */
  readonly run: (database: Database, target: Target, unmeasured: Database) => Promise<unknown>;
  /** The page starts behind a payment, so only a paid intent will do. */
  readonly paid?: boolean;
  /** Its statements make one answer, so that the limit holds for all of them together. */
  readonly isOneAnswer?: boolean;
}

import type { JsonText } from "../../domain/show.ts";

export interface Reply {
  readonly status: 200 | 201 | 202;
  readonly body: JsonText;
  /** To be set in the caller's browser. An answer under an Idempotency-Key is kept without them. */
  readonly cookies?: readonly string[];
  /** Further headers; not kept either. */
  readonly headers?: Readonly<Record<string, string>>;
}

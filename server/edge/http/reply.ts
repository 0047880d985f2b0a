import type { JsonText } from "../../domain/show.ts";

export interface Reply {
  readonly status: 200 | 201 | 202 | 402;
  readonly body: JsonText;
  /** Cookies for the caller's browser. The answer stored under an Idempotency-Key has none. */
  readonly cookies?: readonly string[];
  /** True if the answer is encrypted where it is stored under an Idempotency-Key (§4.22.1). Default false. */
  readonly isPrivate?: boolean;
  /** Further headers; not stored either. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The rest of a long answer, behind `body`. An error in it cuts the connection: no part passes for the whole. It is always begun. */
  readonly rest?: AsyncIterable<string | Uint8Array>;
}

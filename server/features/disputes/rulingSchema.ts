import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { PART_AMOUNT } from "../../domain/money.ts";
import { ADDRESS } from "../../domain/values.ts";
import type { Components } from "../../edge/http/declaration.ts";
import { choice, member, nullable, timestamp } from "../../edge/http/schemas.ts";
import { REASONS_CHARACTERS_MAX, RULING_MEMOS } from "./ruling.ts";

/** §17: the decision of a dispute, also as merchants and events show it. */
export const decisionComponents: Components = {
  DisputeDecision: Type.Object(
    {
      total: Type.String({
        pattern: PART_AMOUNT.source,
        description: "The total that the ruling names: what the buyer has in the end, unless more was bound before.",
      }),
      memo: choice(RULING_MEMOS, {
        description:
          "The memo of the ruling that the arbiter signed: the hash of a frozen `record`; another text, which this service does not know (`unknown`); no memo at all (`none`); memos of others alone (`other_signer`); or `several`. All but `record`: decided outside this service, without reasons.",
      }),
      sha256: nullable(Type.String({ pattern: "^[0-9a-f]{64}$" }), {
        description: "SHA-256 of the record, as the memo names it; null if the memo is no hash.",
      }),
      agreement: nullable(idKind("of").schema, {
        description: "The accepted offer that the ruling carries out, in place of reasons; null for another one.",
      }),
      arbiter: member(ADDRESS, "The wallet that signed the ruling."),
      transaction: Type.String({ description: "The signature of the ruling's transaction." }),
      ruledAt: timestamp("The time of the ruling, by the chain's clock."),
      reasons: Type.Optional(
        nullable(Type.String({ maxLength: REASONS_CHARACTERS_MAX }), {
          description: "The reasons; null without any. Only on a dispute asked for by itself.",
        }),
      ),
      record: Type.Optional(
        nullable(Type.String(), {
          description:
            "The frozen record as the memo's hash is of it, in canonical JSON (RFC 8785); null without one. Only on a dispute asked for by itself.",
        }),
      ),
      erasedAt: Type.Optional(
        nullable(timestamp("The time at which reasons and record were erased."), {
          description:
            "The time at which reasons and record were erased; null if they were not. Only on a dispute asked for by itself.",
        }),
      ),
    },
    { description: "The arbiter's ruling of a dispute." },
  ),
};

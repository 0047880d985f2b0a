import type { Member, Tenant, Visitor } from "../../domain/callers.ts";
import { invalid } from "../../domain/errors.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { memberWrite, missing, tenantOf } from "../../edge/staff/route.ts";
import type { Database } from "../../store/database.ts";
import { type FoundKind, type Pasted, readPasted } from "./inspector.ts";
import { INSPECT } from "./schema.ts";

type Exists = (tenant: Tenant, id: string) => Promise<boolean>;
type FindIntent = (tenant: Tenant, text: string) => Promise<string | null>;

export interface InspectorStaffDeps {
  readonly database: Database;
  /** Whether the tenant has such a thing. A transaction is looked for when its page is opened: that reads the chain. */
  readonly exists: Readonly<Record<Exclude<FoundKind, "transaction">, Exists>>;
  /** Whether there is an event of a payment at this address, which may be bound no more, or never was. */
  readonly hasEventsOfPayment: Exists;
  readonly findIntentByPaymentId: FindIntent;
  /** The newest of them. */
  readonly findIntentByReference: FindIntent;
  /** Reads the chain. */
  readonly findIntentOfAddress: FindIntent;
  /** Counts a look at the chain of a user; throws where there were too many. */
  readonly countLook: (userId: string) => void;
}

interface Found {
  readonly kind: FoundKind;
  readonly id: string;
}

/** §13.13. */
export const inspectorRoutes = (deps: InspectorStaffDeps): Route<Visitor>[] => [
  memberWrite(
    deps.database,
    "read",
    "POST",
    "/businesses/:business/:environment/inspections",
    INSPECT,
    { fresh: false },
    async ({ caller, params, input, write }) => {
      const found = await find(deps, caller, tenantOf(caller, params), readPasted(input.text));
      if (found === null) throw missing();
      return write.commit({ reply: ok(showObject({ object: "inspection", ...found })) });
    },
  ),
];

async function find(
  deps: InspectorStaffDeps,
  { userId }: Member,
  tenant: Tenant,
  pasted: Pasted,
): Promise<Found | null> {
  const { form, text } = pasted;
  const intent = (id: string | null): Found | null => (id === null ? null : { kind: "payment_intent", id });
  switch (form) {
    case "secret":
      throw invalid(
        "text",
        "This is a secret. It was looked for nowhere; do not paste it. A key's id begins with key_.",
      );
    case "nothing":
      return null;
    case "transaction":
      return { kind: "transaction", id: text };
    case "reference":
      return intent(await deps.findIntentByReference(tenant, text));
    case "payment_id":
      return intent(
        (await deps.findIntentByPaymentId(tenant, text)) ?? (await deps.findIntentByReference(tenant, text)),
      );
    case "address": {
      const isPayment = (await deps.exists.payment(tenant, text)) || (await deps.hasEventsOfPayment(tenant, text));
      if (isPayment) return { kind: "payment", id: text };
      deps.countLook(userId);
      return intent(await deps.findIntentOfAddress(tenant, text));
    }
    default:
      return (await deps.exists[form](tenant, text)) ? { kind: form, id: text } : null;
  }
}

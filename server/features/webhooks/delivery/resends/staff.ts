import type { Member, Visitor } from "../../../../domain/callers.ts";
import { invalid } from "../../../../domain/errors.ts";
import { showObject } from "../../../../domain/show.ts";
import { ok, type Route } from "../../../../edge/http/route.ts";
import { memberRead, memberWrite, tenantOf } from "../../../../edge/staff/route.ts";
import type { Context } from "../../../context.ts";
import { requireEndpoint } from "../../endpointQueries.ts";
import { resendDelivery } from "../actions.ts";
import { countSince, type ReplayFrom } from "../queueQueries.ts";
import { requireDelivery } from "../staff.ts";
import { type ResendCall, replaySince, resendAllOfObject, resendMatching } from "./actions.ts";
import type { ResendRow } from "./queries.ts";
import { GET_REPLAY_SIZE, REPLAY, RESEND_DELIVERY, RESEND_MATCHING, RESEND_OBJECT } from "./schema.ts";

const STALE = { fresh: false } as const;
const PERMISSION = "manage_webhooks";
const PATH = "/businesses/:business/:environment";
const ENDPOINT = `${PATH}/endpoints/:endpoint`;

/** §13.8.5. */
export const resendRoutes = (ctx: Context): Route<Visitor>[] => {
  const { database, slowDatabase } = ctx;
  const callOf = (caller: Member, params: Readonly<Record<string, string>>, id: string): ResendCall => ({
    tenant: tenantOf(caller, params),
    endpointId: params.endpoint!,
    id,
  });
  return [
    memberWrite(
      PERMISSION,
      "POST",
      `${PATH}/deliveries/:delivery/resend`,
      RESEND_DELIVERY,
      STALE,
      async ({ caller, params, write }) => {
        const tenant = tenantOf(caller, params);
        const { endpoint, eventId } = await requireDelivery(ctx, tenant, params);
        const { id, isNew } = await resendDelivery(database, caller.actor, tenant, endpoint.id, eventId);
        const shown = { id, resent: isNew ? 1 : 0, made: 0, done: true, limited: false };
        return write.commit({ reply: ok(showObject({ object: "webhook_resend", ...shown })) });
      },
    ),
    memberWrite(
      PERMISSION,
      "POST",
      `${ENDPOINT}/resend-object`,
      RESEND_OBJECT,
      STALE,
      async ({ caller, params, input, write }) => {
        if (input.object === null) throw invalid("object", "Required: an intent's id or a payment's address.");
        const call = callOf(caller, params, input.id);
        return write.commit({ reply: show(await resendAllOfObject(database, caller.actor, call, input.object)) });
      },
    ),
    memberWrite(
      PERMISSION,
      "POST",
      `${ENDPOINT}/resend`,
      RESEND_MATCHING,
      STALE,
      async ({ caller, params, input, write }) => {
        const { id, ...query } = input;
        const row = await resendMatching(ctx, caller.actor, callOf(caller, params, id), query);
        return write.commit({ reply: show(row) });
      },
    ),
    memberWrite(PERMISSION, "POST", `${ENDPOINT}/replay`, REPLAY, STALE, async ({ caller, params, input, write }) => {
      const row = await replaySince(database, caller.actor, callOf(caller, params, input.id), startOf(input));
      return write.commit({ reply: show(row) });
    }),
    memberRead("read", `${ENDPOINT}/replay-size`, GET_REPLAY_SIZE, async ({ caller, params, input }) => {
      const endpoint = await requireEndpoint(database, tenantOf(caller, params), params.endpoint!);
      const eventsMax = await countSince(slowDatabase, endpoint, input.since ?? new Date(0));
      return ok(showObject({ object: "webhook_replay_size", eventsMax }));
    }),
  ];
};

function startOf(input: { readonly since: Date | null; readonly afterSequence: string | null }): ReplayFrom {
  const { since, afterSequence } = input;
  if (since !== null && afterSequence === null) return { since };
  if (since === null && afterSequence !== null) return { afterSequence: BigInt(afterSequence) };
  throw invalid("since", "Give since or afterSequence, one of the two.");
}

const show = ({ id, resent, made, ended_at, limited }: ResendRow) =>
  ok(showObject({ object: "webhook_resend", id, resent, made, done: ended_at !== null, limited }));

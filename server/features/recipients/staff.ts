import type { Visitor } from "../../domain/callers.ts";
import { type JsonText, showList, showObject } from "../../domain/show.ts";
import { symbolOf, WELL_KNOWN_TOKENS } from "../../domain/tokens.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { memberRead, memberWrite, tenantOf } from "../../edge/staff/route.ts";
import { listKnownAssets } from "../chains/fragments.ts";
import {
  addRecipient,
  checkRecipient,
  confirmArrival,
  listTried,
  type RecipientDeps,
  removeRecipient,
  renameTo,
  setSavedOnly,
  startTest,
} from "./actions.ts";
import { findSavedOnlyRule } from "./queries.ts";
import { type Recipient, type SavedOnlyRule, stateOf, WARNING_TEXTS } from "./recipient.ts";
import {
  ADD_RECIPIENT,
  CHECK_RECIPIENT,
  CONFIRM_RECIPIENT,
  GET_SAVED_ONLY,
  LIST_RECIPIENTS,
  LIST_TEST_ASSETS,
  REMOVE_RECIPIENT,
  RENAME_RECIPIENT,
  SET_SAVED_ONLY,
  TEST_RECIPIENT,
} from "./schema.ts";

export interface RecipientStaffDeps extends RecipientDeps {
  readonly checkoutUrl: string;
  /** Counts a look at the chain of a user; throws where there were too many. */
  readonly countLook: (userId: string) => void;
}

/** Where money goes, under which name, and that somebody found it there: an open browser alone does not decide about those. */
const FRESH = { fresh: true } as const;
const STALE = { fresh: false } as const;
const PATH = "/businesses/:business/:environment/recipients";
const ONE = `${PATH}/:recipient`;
const RULE = "/businesses/:business/:environment/saved-recipients-only";

/** §13.11. */
export function recipientRoutes(deps: RecipientStaffDeps): Route<Visitor>[] {
  const { database, checkoutUrl, countLook } = deps;
  const show = (recipient: Recipient): JsonText => showObject(describe(recipient, checkoutUrl));
  return [
    memberRead(database, "read", PATH, LIST_RECIPIENTS, async ({ caller, params }) => {
      const recipients = await listTried(deps, tenantOf(caller, params));
      return ok(showList(recipients.map(show), false));
    }),
    memberRead(database, "read", `${PATH}/assets`, LIST_TEST_ASSETS, async ({ caller, params }) => {
      const assets = await listKnownAssets(database, tenantOf(caller, params).environment, WELL_KNOWN_TOKENS);
      const shown = assets.map(({ address, decimals }) =>
        showObject({ object: "test_asset", id: address, symbol: symbolOf(address), decimals }),
      );
      return ok(showList(shown, false));
    }),
    memberWrite(
      database,
      "manage_profile",
      "POST",
      `${PATH}/check`,
      CHECK_RECIPIENT,
      STALE,
      async ({ caller, params, input, write }) => {
        countLook(caller.userId);
        const { problem, warnings } = await checkRecipient(deps, tenantOf(caller, params), input.address);
        const texts = warnings.map((code) => ({ code, text: WARNING_TEXTS[code] }));
        return write.commit({ reply: ok(showObject({ object: "recipient_check", problem, warnings: texts })) });
      },
    ),
    memberWrite(
      database,
      "manage_profile",
      "POST",
      PATH,
      ADD_RECIPIENT,
      FRESH,
      async ({ caller, params, input, write }) => {
        countLook(caller.userId);
        const recipient = await addRecipient(deps, caller, tenantOf(caller, params), input);
        return write.commit({ reply: created(show(recipient)) });
      },
    ),
    memberWrite(
      database,
      "manage_profile",
      "PATCH",
      ONE,
      RENAME_RECIPIENT,
      FRESH,
      async ({ caller, params, input, write }) => {
        const tenant = tenantOf(caller, params);
        return write.commit({
          reply: ok(show(await renameTo(deps, caller.actor, tenant, params.recipient!, input.label))),
        });
      },
    ),
    memberWrite(
      database,
      "manage_profile",
      "DELETE",
      ONE,
      REMOVE_RECIPIENT,
      FRESH,
      async ({ caller, params, write }) => {
        await removeRecipient(deps, caller, tenantOf(caller, params), params.recipient!);
        return write.commit({ reply: ok(showObject({ object: "done" })) });
      },
    ),
    memberWrite(
      database,
      "manage_profile",
      "POST",
      `${ONE}/test`,
      TEST_RECIPIENT,
      STALE,
      async ({ caller, params, input, write }) => {
        const tenant = tenantOf(caller, params);
        countLook(caller.userId);
        const recipient = await startTest(deps, caller.actor, tenant, params.recipient!, input);
        return write.commit({ reply: created(show(recipient)) });
      },
    ),
    memberWrite(
      database,
      "manage_profile",
      "POST",
      `${ONE}/confirm`,
      CONFIRM_RECIPIENT,
      FRESH,
      async ({ caller, params, write }) => {
        const recipient = await confirmArrival(deps, caller.actor, tenantOf(caller, params), params.recipient!);
        return write.commit({ reply: ok(show(recipient)) });
      },
    ),
    memberRead(database, "read", RULE, GET_SAVED_ONLY, async ({ caller, params }) =>
      ok(showRule(await findSavedOnlyRule(database, tenantOf(caller, params)))),
    ),
    memberWrite(
      database,
      "restrict_recipients",
      "PUT",
      RULE,
      SET_SAVED_ONLY,
      FRESH,
      async ({ caller, params, input, write }) => {
        const rule = await setSavedOnly(deps, caller.actor, tenantOf(caller, params), input.isOn);
        return write.commit({ reply: ok(showRule(rule)) });
      },
    ),
  ];
}

const showRule = (rule: SavedOnlyRule | null): JsonText =>
  showObject({
    object: "saved_only_rule",
    isOn: rule !== null,
    since: rule?.since ?? null,
    endsAt: rule?.endsAt ?? null,
  });

function describe(recipient: Recipient, checkoutUrl: string) {
  const { address, label, test, addedAt, heldUntil, confirmedAt, confirmedBy } = recipient;
  const isOpen = test?.intentStatus === "requires_payment";
  return {
    object: "recipient",
    id: address,
    label,
    state: stateOf(recipient),
    test:
      test === null
        ? null
        : {
            intent: test.intentId,
            asset: test.asset,
            amount: test.amount,
            status: test.intentStatus,
            checkoutUrl: isOpen ? `${checkoutUrl}/pay/i/${test.intentId}` : null,
            paymentStatus: test.paymentStatus,
            protectionDeadline: test.protectionDeadline,
          },
    addedAt,
    heldUntil,
    confirmedAt,
    confirmedBy,
  };
}

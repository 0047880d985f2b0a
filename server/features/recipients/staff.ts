import type { Visitor } from "../../domain/callers.ts";
import { type JsonText, showList, showObject } from "../../domain/show.ts";
import { symbolOf, WELL_KNOWN_TOKENS } from "../../domain/tokens.ts";
import { created, ok, type Route } from "../../edge/http/route.ts";
import { done } from "../../edge/staff/answers.ts";
import { FRESH, memberRead, memberWrite, STALE, tenantOf } from "../../edge/staff/route.ts";
import { listKnownAssets } from "../chains/fragments.ts";
import {
  addRecipient,
  checkRecipient,
  confirmArrival,
  listTried,
  type RecipientContext,
  removeRecipient,
  renameTo,
  setSavedOnly,
  startTest,
} from "./actions.ts";
import { findSavedOnlyRule } from "./queries.ts";
import { type Recipient, type SavedOnlyRule, stateOf, WARNING_TEXTS } from "./recipient.ts";
import {
  ADD_RECIPIENT,
  CHECK,
  CHECK_RECIPIENT,
  CONFIRM_RECIPIENT,
  GET_SAVED_ONLY,
  LIST_RECIPIENTS,
  LIST_TEST_ASSETS,
  RECIPIENT,
  REMOVE_RECIPIENT,
  RENAME_RECIPIENT,
  RULE,
  SET_SAVED_ONLY,
  TEST_ASSET,
  TEST_RECIPIENT,
} from "./schema.ts";

const PATH = "/businesses/:business/:environment/recipients";
const ONE = `${PATH}/:recipient`;
const RULE_PATH = "/businesses/:business/:environment/saved-recipients-only";

/** §13.11. Adding, renaming or removing a recipient and confirming its test need a recent proof of identity. */
export function recipientRoutes(ctx: RecipientContext): Route<Visitor>[] {
  const { database, checkoutUrl, countLook } = ctx;
  const show = (recipient: Recipient): JsonText => showObject(RECIPIENT.show(shown(recipient, checkoutUrl)));
  return [
    memberRead("read", PATH, LIST_RECIPIENTS, async ({ caller, params }) => {
      const recipients = await listTried(ctx, tenantOf(caller, params));
      return ok(showList(recipients.map(show)));
    }),
    memberRead("read", `${PATH}/assets`, LIST_TEST_ASSETS, async ({ caller, params }) => {
      const assets = await listKnownAssets(database, tenantOf(caller, params).environment, WELL_KNOWN_TOKENS);
      const items = assets.map((one) => showObject(TEST_ASSET.show({ ...one, symbol: symbolOf(one.address)! })));
      return ok(showList(items));
    }),
    memberWrite(
      "manage_profile",
      "POST",
      `${PATH}/check`,
      CHECK_RECIPIENT,
      STALE,
      async ({ caller, params, input }) => {
        countLook(caller.userId);
        const { problem, warnings } = await checkRecipient(ctx, tenantOf(caller, params), input.address);
        const texts = warnings.map((code) => ({ code, text: WARNING_TEXTS[code] }));
        return ok(showObject(CHECK.show({ problem, warnings: texts })));
      },
    ),
    memberWrite("manage_profile", "POST", PATH, ADD_RECIPIENT, FRESH, async ({ caller, params, input }) => {
      countLook(caller.userId);
      const recipient = await addRecipient(ctx, caller, tenantOf(caller, params), input);
      return created(show(recipient));
    }),
    memberWrite("manage_profile", "PATCH", ONE, RENAME_RECIPIENT, FRESH, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      return ok(show(await renameTo(ctx, caller.actor, tenant, params.recipient!, input.label)));
    }),
    memberWrite("manage_profile", "DELETE", ONE, REMOVE_RECIPIENT, FRESH, async ({ caller, params }) => {
      await removeRecipient(ctx, caller, tenantOf(caller, params), params.recipient!);
      return done;
    }),
    memberWrite("manage_profile", "POST", `${ONE}/test`, TEST_RECIPIENT, STALE, async ({ caller, params, input }) => {
      const tenant = tenantOf(caller, params);
      countLook(caller.userId);
      const recipient = await startTest(ctx, caller.actor, tenant, params.recipient!, input);
      return created(show(recipient));
    }),
    memberWrite("manage_profile", "POST", `${ONE}/confirm`, CONFIRM_RECIPIENT, FRESH, async ({ caller, params }) => {
      const recipient = await confirmArrival(ctx, caller.actor, tenantOf(caller, params), params.recipient!);
      return ok(show(recipient));
    }),
    memberRead("read", RULE_PATH, GET_SAVED_ONLY, async ({ caller, params }) =>
      ok(showRule(await findSavedOnlyRule(database, tenantOf(caller, params)))),
    ),
    memberWrite("restrict_recipients", "PUT", RULE_PATH, SET_SAVED_ONLY, FRESH, async ({ caller, params, input }) => {
      const rule = await setSavedOnly(ctx, caller.actor, tenantOf(caller, params), input.isOn);
      return ok(showRule(rule));
    }),
  ];
}

const showRule = (rule: SavedOnlyRule | null): JsonText =>
  showObject(RULE.show({ since: null, endsAt: null, ...rule, isOn: rule !== null }));

function shown(recipient: Recipient, checkoutUrl: string) {
  const { test } = recipient;
  const isOpen = test?.intentStatus === "requires_payment";
  return {
    ...recipient,
    state: stateOf(recipient),
    test: test === null ? null : { ...test, checkoutUrl: isOpen ? `${checkoutUrl}/pay/i/${test.intentId}` : null },
  };
}

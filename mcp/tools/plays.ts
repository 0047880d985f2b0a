import { randomBytes } from "node:crypto";
import { type Act, callControl, localRunOf, playOn } from "@holdfast/cli/controls.ts";
import { CommandError, EXIT } from "@holdfast/cli/exit.ts";
import type { Business } from "@holdfast/sdk";
import { z } from "zod";
import { intent } from "../schemas.ts";
import type { Context, Tools } from "../tools.ts";

const PERIODS = ["oneHour", "oneDay", "threeDays", "sevenDays", "fourteenDays", "thirtyDays"] as const;
const AMOUNT = "5000000";
const units = z.string().regex(/^[1-9]\d{0,19}$/, "digits, in the token's smallest unit");

/** Both tools ask first whether the key may write in `test`: a local chain is moved by no key that only reads. */
async function requireTest({ client }: Context): Promise<void> {
  const refusal = refusalOf(await client.me.retrieve());
  if (refusal !== null) throw new CommandError(refusal, EXIT.refused);
}

/** Why a key may not write by these tools; null if it may. */
export function refusalOf({ environment, apiKey }: Pick<Business, "environment" | "apiKey">): string | null {
  if (environment !== "test") return `This key is for ${environment}. This tool works in test alone.`;
  if (apiKey.scope !== "full") return `This key has the scope ${apiKey.scope}. This tool needs one of scope full.`;
  return null;
}

export function registerPlays(tool: Tools): void {
  tool(
    "create_test_intent",
    {
      title: "Create a test intent",
      description:
        "Creates a payment intent in the environment test, with its checkoutUrl. On a local run recipient and asset may be left out. Refused outside of test.",
      writes: "adds",
      input: z.strictObject({
        merchantReference: z.string().optional().describe("the order's reference; made at random if left out"),
        amount: units.default(AMOUNT).describe("digits, in the token's smallest unit"),
        protectionPeriod: z.enum(PERIODS).default("sevenDays"),
        description: z.string().optional().describe("a line for the buyer"),
        recipient: z.string().optional().describe("the wallet to be paid"),
        asset: z.string().optional().describe("the token's mint"),
      }),
      output: intent,
    },
    async ({ recipient, asset, merchantReference, description, ...terms }, context) => {
      await requireTest(context);
      const { local } = context.instance;
      const [wallet, mint] = [recipient ?? local?.recipient, asset ?? local?.asset];
      if (wallet === undefined || mint === undefined)
        throw new CommandError("Give recipient and asset: no local run is known that would have them.", EXIT.usage);
      return context.client.paymentIntents.create({
        ...{ ...terms, recipient: wallet, asset: mint },
        merchantReference: merchantReference ?? `agent-${randomBytes(6).toString("hex")}`,
        ...(description === undefined ? {} : { description }),
      });
    },
  );
  tool(
    "local_play",
    {
      title: "Play on the local chain",
      description:
        "On a local chain alone, with play money: plays the buyer (pay, dispute, release), the recipient (refund) or the arbiter (rule) of an intent, or moves the clock (advance, no way back). The service follows in about two seconds: see find.",
      writes: "changes",
      input: z.strictObject({
        act: z.enum(["pay", "dispute", "release", "refund", "rule", "advance"]),
        intent: z.string().optional().describe("id of the intent; for all but advance"),
        amount: units.optional().describe("of pay: another amount than the intent's"),
        again: z.boolean().optional().describe("as, or of, a buyer who has not paid this intent yet"),
        late: z.boolean().optional().describe("of pay: after the expiry, to which the clock is moved"),
        total: units.optional().describe("of refund and rule: the buyer's total in the end; all if left out"),
        to: z.enum(["release", "refund"]).optional().describe("of rule without a total: who gets it"),
        by: z.enum(PERIODS).optional().describe("of advance: how far"),
      }),
      output: z.object({
        act: z.string(),
        payment: z.string().nullable().describe("address of the payment"),
        signature: z.string().nullable().describe("the transaction"),
        now: z.string().nullable().describe("of advance: the time that the clock shows"),
      }),
    },
    async ({ act, intent, by, to, ...options }, context) => {
      const local = localRunOf(context.instance);
      await requireTest(context);
      if (act === "advance") {
        if (by === undefined) throw new CommandError("Give by: how far the clock moves.", EXIT.usage);
        const { now } = await callControl<{ now: string }>(local, "/advance", { period: by });
        return { act, payment: null, signature: null, now };
      }
      if (intent === undefined) throw new CommandError("Give the id of the intent.", EXIT.usage);
      const action = actionOf(act, to, options.total);
      const shown = await context.client.paymentIntents.retrieve(intent);
      const { payment, signature } = await playOn(local, shown, { ...options, action });
      return { act, payment, signature, now: null };
    },
  );
}

function actionOf(act: string, to: string | undefined, total: string | undefined): Act["action"] {
  if (act !== "rule") return act;
  if (total !== undefined) return "resolve_split";
  if (to !== undefined) return `resolve_${to}`;
  throw new CommandError("Give to (release or refund), or the buyer's total of a split.", EXIT.usage);
}

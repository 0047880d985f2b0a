import { isAddress } from "../../domain/addresses.ts";
import { PROTECTION_PERIODS } from "../../domain/terms.ts";
import type { LocalChain } from "./chain.ts";
import { ControlError } from "./controlError.ts";

/** The development package is loaded only by a run that has it. */
const load = () => Promise.all([import("@holdfast/devnet/play.ts"), import("@holdfast/devnet/chain.ts")]);
type Loaded = Awaited<ReturnType<typeof load>>;
type Play = Parameters<Loaded[0]["play"]>[2];
type ShownIntent = Parameters<Loaded[0]["play"]>[1];

interface Asked {
  readonly intent: ShownIntent;
  readonly play: Omit<Play, "action"> & { readonly action: string };
}

type Stage = Pick<LocalChain, "rpcUrl" | "programId" | "operator" | "walletsDir"> & {
  readonly advance: (seconds: number) => Promise<unknown>;
};

/** Plays a buyer, the recipient or the arbiter by a real transaction. What the chain refuses, the answer says in its words. */
export async function playOn({ programId, operator, walletsDir, ...stage }: Stage, { intent, play: asked }: Asked) {
  const [{ isAction, play }, { readWallets }] = await load();
  const { action } = asked;
  if (!isAction(action)) throw new ControlError("Send an action: pay, dispute, release, refund, resolve_…, close.");
  const market = { ...stage, programId, operator, wallets: readWallets(walletsDir) } as Parameters<typeof play>[0];
  try {
    return await play(market, intent, { ...asked, action });
  } catch (error) {
    throw new ControlError(error instanceof Error ? error.message : String(error));
  }
}

/** Funds a wallet up to what an intent asks for. A payment is built from the chain's confirmed state, so this waits for it. */
export async function fundWallet(
  rpcUrl: string,
  owner: string,
  { asset, amount }: { readonly asset: string; readonly amount: string },
): Promise<void> {
  const { fundBuyer } = await import("@holdfast/devnet/buyer.ts");
  const { awaitSignature } = await import("@holdfast/devnet/client.ts");
  const signature = await fundBuyer(rpcUrl, owner as Parameters<typeof fundBuyer>[1], asset, BigInt(amount));
  if (signature !== null) await awaitSignature(rpcUrl, signature, "confirmed");
}

const DIGITS = /^(0|[1-9][0-9]{0,19})$/;

/** Parses `{ action, intent, again, late, amount, total, decideOnly }`; the intent as the API shows it. */
export function parsePlay(body: unknown): Asked {
  const { action, intent, again, late, decideOnly, amount, total } = objectOf(body, "an object with action and intent");
  const shown = objectOf(intent, "intent, as the API shows it");
  const payment = shown.payment === null ? null : objectOf(shown.payment, "intent, as the API shows it");
  const isShown =
    [shown.recipient, shown.asset, ...(payment === null ? [] : [payment.id])].every(
      (one) => typeof one === "string" && isAddress(one),
    ) &&
    [shown.amount, shown.paymentId].every(isDigits) &&
    PROTECTION_PERIODS.some((one) => one === shown.protectionPeriod) &&
    !Number.isNaN(Date.parse(String(shown.expiresAt)));
  if (!isShown) throw new ControlError("Send the intent as the API shows it.");
  for (const [name, value] of Object.entries({ amount, total }))
    if (value !== undefined && !isDigits(value)) throw new ControlError(`${name} is digits, in smallest units.`);
  return {
    intent: shown as unknown as ShownIntent,
    play: {
      action: String(action),
      ...{ again: again === true, late: late === true, decideOnly: decideOnly === true },
      ...(amount === undefined ? {} : { amount: String(amount) }),
      ...(total === undefined ? {} : { total: BigInt(String(total)) }),
    },
  };
}

const isDigits = (value: unknown): boolean => typeof value === "string" && DIGITS.test(value);

function objectOf(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new ControlError(`Send ${what}.`);
  return value as Record<string, unknown>;
}

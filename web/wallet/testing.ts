// An attempt of a page in front of a service and a wallet that answer as a test says, with a clock that does not wait.
import assert from "node:assert/strict";
import { mock } from "node:test";
import type { BuiltTransaction } from "@holdfast/decoder";
import { type Act, type ActEnding, type ActState, attempt } from "./act.ts";
import type { Wallet, WalletAccount } from "./wallet.ts";

type Answer = () => unknown;
/** The answers of each route in turn, by the end of its path; the last one repeats. */
export type Answers = Readonly<Record<string, readonly Answer[]>>;
interface Asked {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export const refusal = (code: string) => () => ({ error: { code, message: `It is ${code}.` } });
export const lost = () => {
  throw new TypeError("fetch failed");
};
export const neverAsked = () => assert.fail("the wallet was asked");
const LIVE = { status: "live", msLeft: 9_000 };

/** Runs a page's code. `asked`: its requests, but for those that follow a transaction. */
export async function withService<Result>(answers: Answers, run: () => Promise<Result>) {
  const asked: Asked[] = [];
  const turns = new Map<string, number>();
  const { setTimeout: real } = globalThis;
  const fetched = mock.method(globalThis, "fetch", async (path: string, { body }: { body: string }) => {
    const name = path.split("/").at(-1)!;
    if (name !== "life") asked.push({ path, body: JSON.parse(body) });
    const all = answers[name] ?? [() => (name === "life" ? LIVE : {})];
    const turn = turns.get(name) ?? 0;
    turns.set(name, turn + 1);
    return { json: async () => (all[turn] ?? all.at(-1))!() };
  });
  // The sockets of other tests in this process wait by it as well, with what they are to be called with.
  const waited = mock.method(globalThis, "setTimeout", (call: () => void, _ms: number, ...given: []) =>
    real(call, 0, ...given),
  );
  try {
    return { result: await run(), asked };
  } finally {
    fetched.mock.restore();
    waited.mock.restore();
  }
}

interface Given {
  readonly answers: Answers;
  readonly accounts: readonly WalletAccount[];
  /** The wallet's answer, or its error, where it can sign and send, or sign. */
  readonly send?: Answer | undefined;
  readonly sign?: Answer | undefined;
  /** True once all has happened; default: at the first ending. */
  readonly isEnough?: ((states: readonly ActState<unknown>[]) => boolean) | undefined;
}

/** Lets a wallet do an act on the main network; returns what the page is told and asks for. */
export async function attemptWith<Built extends BuiltTransaction>(act: Act<Built>, given: Given) {
  const { answers, accounts, send, sign, isEnough = (told) => told.at(-1)?.at === "ended" } = given;
  const cluster = "solana:mainnet";
  const features = {
    "standard:connect": { connect: async () => ({ accounts }) },
    ...(send && { "solana:signAndSendTransaction": { signAndSendTransaction: async () => send() } }),
    ...(sign && { "solana:signTransaction": { signTransaction: async () => sign() } }),
  };
  const wallet = { name: "Wallet", icon: "", chains: [cluster], accounts: [], features } as unknown as Wallet;
  const states: ActState<Built>[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const { asked } = await withService(answers, async () => {
    const stop = attempt(act, {
      ...{ wallet, cluster, onLeft: () => undefined },
      onState: (state) => {
        states.push(state);
        if (isEnough(states)) resolve();
      },
    });
    await promise;
    stop();
  });
  const endings = states.flatMap((state) => (state.at === "ended" ? [state.ending] : []));
  return { states, ending: endings[0] as ActEnding, asked };
}

import assert from "node:assert/strict";
import { test } from "node:test";
import { createActionSender } from "./actionSender.ts";
import type { Trial } from "./builder.ts";
import { ChainUnavailableError, type SignatureStatus } from "./port.ts";

/** The file is loaded long before its tests run, where many share a process. */
const { signal } = new AbortController();

/** A sender on a chain that answers as told. A transaction's text is its signature, and the payment that it is about. */
function aSender() {
  const chain = {
    sent: [] as string[],
    trial: { kind: "would_land" } as Trial,
    statuses: new Map<string, SignatureStatus>(),
    isAway: false,
    canLand: true,
    asked: 0,
  };
  const away = () => {
    if (chain.isAway) throw new ChainUnavailableError("No node answers.");
  };
  const sender = createActionSender({
    builder: {
      readSigned: async (text) => {
        const [signature, payment, kind = "dispute", ...totals] = text.split(" ");
        if (payment === undefined) return { kind: "invalid", reason: "it is cut off" };
        const actions = [...totals, ...(totals.length === 0 ? [null] : [])].map((total) => {
          return { kind: kind as "dispute", payment, total };
        });
        return { kind: "signed", signature: signature!, payments: [], isOnePayment: false, actions, sole: null };
      },
      tryTransaction: async () => chain.trial,
      sendTransaction: async (text) => {
        away();
        chain.sent.push(text);
      },
      canStillLand: async () => chain.canLand,
    },
    reader: {
      fetchSignatureStatuses: async (signatures) => {
        chain.asked++;
        return { value: signatures.map((one) => chain.statuses.get(one) ?? null), slot: 1, node: 0 };
      },
    },
    log: () => undefined,
  });
  const submit = (text: string, payment = "p") => sender.submit(text, { payment }, { signal });
  return { chain, sender, submit };
}
const landed = (failed: boolean, commitment: "processed" | "confirmed" = "confirmed") =>
  ({ slot: 1, commitment, failed }) as const;

test("§4.15.6 an action is sent at once, and again until it has landed", async () => {
  const { chain, sender, submit } = aSender();
  const answer = await submit("a p");
  assert.ok(answer.kind === "sent" && answer.signature === "a");
  for (const _ of [1, 2]) await sender.resend(signal);
  assert.deepEqual(chain.sent, ["a p", "a p", "a p"]);
  chain.statuses.set("a", landed(false, "processed"));
  await sender.resend(signal);
  assert.equal(chain.sent.length, 4, "its block may be dropped");
  chain.statuses.set("a", landed(true));
  const asked = chain.asked;
  for (const _ of [1, 2]) await sender.resend(signal);
  assert.deepEqual([chain.sent.length, chain.asked], [4, asked + 1], "nothing is left to ask about");
});

test("§4.15.6 it is sent no more once final blocks show that it cannot land, and never after its blockhash has ended", async () => {
  const { chain, sender, submit } = aSender();
  chain.trial = { kind: "unknown_blockhash" };
  assert.equal((await submit("a p")).kind, "sent", "a node may not know a young blockhash");
  await sender.resend(signal);
  chain.canLand = false;
  for (const _ of [1, 2]) await sender.resend(signal);
  assert.deepEqual(chain.sent, ["a p", "a p"]);
  chain.trial = { kind: "ended" };
  assert.deepEqual(await submit("b p"), { kind: "ended" });
  assert.deepEqual(chain.sent, ["a p", "a p"]);
});

test("§4.15.6 what is no signed action on the payment, would fail or has failed is not sent", async () => {
  const { chain, sender, submit } = aSender();
  for (const [text, reason] of [
    ["", "it is cut off"],
    ["a", "it is cut off"],
    ["a q", "it does something else"],
  ] as const)
    assert.deepEqual(await submit(text), { kind: "invalid", reason });
  const wanted = { payment: "p", kind: "refund" } as const;
  assert.deepEqual(await sender.submit("a p release", wanted, { signal }), {
    kind: "invalid",
    reason: "it does something else",
  });
  chain.statuses.set("a", landed(true));
  assert.equal((await submit("a p")).kind, "would_fail");
  chain.trial = { kind: "would_fail", reason: "already_decided: …" };
  assert.deepEqual(await submit("b p"), chain.trial);
  await sender.resend(signal);
  assert.deepEqual(chain.sent, []);
});

test("§4.15.6 an outage while sending loses nothing, and a process follows a limited number", async () => {
  const { chain, sender, submit } = aSender();
  chain.isAway = true;
  assert.equal((await submit("a p")).kind, "sent");
  await sender.resend(signal);
  chain.isAway = false;
  await sender.resend(signal);
  assert.deepEqual(chain.sent, ["a p"]);
  const fill = async (number: number, payment: string) => (await submit(`n${number} ${payment}`, payment)).kind;
  for (let number = 1; number <= 9; number++) assert.equal(await fill(number, "p"), "sent");
  assert.equal(await fill(10, "p"), "busy", "ten of a kind on a payment");
  assert.equal((await submit("a p")).kind, "sent", "a repeat is followed already");
});

test("§4.15.6 actions of one kind keep no other kind out: a shop's refunds delay no dispute", async () => {
  const { submit } = aSender();
  for (let number = 1; number <= 10; number++) assert.equal((await submit(`n${number} p refund`)).kind, "sent");
  assert.equal((await submit("n11 p refund")).kind, "busy");
  assert.equal((await submit("a p dispute")).kind, "sent");
});

test("§4.15.6 a stranger with fifty payments keeps nobody out: the largest group gives up its oldest", async () => {
  const { chain, sender, submit } = aSender();
  for (let number = 0; number < 500; number++) {
    const payment = `p${number % 50}`;
    assert.equal((await submit(`n${number} ${payment}`, payment)).kind, "sent");
  }
  assert.equal((await submit("a q", "q")).kind, "sent");
  chain.sent = [];
  await sender.resend(signal);
  assert.equal(chain.sent.length, 500);
  assert.ok(chain.sent.includes("a q") && !chain.sent.includes("n0 p0"));
});

test("§4.15.6 five hundred payments with one action each fill a process", async () => {
  const { submit } = aSender();
  for (let number = 1; number <= 500; number++)
    assert.equal((await submit(`n${number} p${number}`, `p${number}`)).kind, "sent");
  assert.equal((await submit("a q", "q")).kind, "busy");
});

test("§13.16.1 of several refunds in one transaction the last total is the one that is recorded", async () => {
  const wanted = { payment: "p", kind: "refund" } as const;
  const answer = await aSender().sender.submit("a p refund 1 24500000", wanted, { signal });
  assert.equal(answer.kind === "sent" && answer.action.total, "24500000");
});

test("§4.15.6 what nobody could try takes the place of nothing that would land", async () => {
  const { chain, sender, submit } = aSender();
  const resent = async () => {
    chain.sent = [];
    await sender.resend(signal);
    return chain.sent.length;
  };
  chain.trial = { kind: "unknown_blockhash" };
  for (let number = 1; number <= 60; number++) assert.equal((await submit(`made-up-${number} p`)).kind, "sent");
  assert.equal(await resent(), 50, "the oldest were replaced");
  chain.trial = { kind: "would_land" };
  assert.equal((await submit("a p")).kind, "sent");
  assert.equal((await submit("made-up-60 p")).kind, "sent", "it can be tried by now");
  chain.trial = { kind: "unknown_blockhash" };
  for (let number = 61; number <= 120; number++) await submit(`made-up-${number} p`);
  assert.equal(await resent(), 52);
  assert.ok(chain.sent.includes("a p") && chain.sent.includes("made-up-60 p"));
});

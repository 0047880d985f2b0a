import assert from "node:assert/strict";
import { before, test } from "node:test";
import { draftPayment, latestBlockhash } from "@holdfast/devnet/buyer.ts";
import { awaitSignature, sendWire } from "@holdfast/devnet/client.ts";
import { signTransaction } from "@holdfast/devnet/signTransaction.ts";
import { signWith } from "@holdfast/devnet/testing/wireTransaction.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { createTokenAccountInstruction, findTokenAccountAddress, TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { AccountRole, type Address } from "@solana/kit";
import { askCheckout, assertRefused, buildFor } from "../harness/buyer.ts";
import { control, newPayer } from "../harness/chain.ts";
import { awaitPaid } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { type Merchant, newMerchant, type Wire } from "../harness/merchant.ts";
import { LASTING, type RunningService, standingService } from "../harness/service.ts";
import { eventually } from "../harness/wait.ts";

/** The acts of a stranger who has a checkout's link, or made one, and no money. */

let service: RunningService;
let shop: Merchant;
before(async () => {
  service = await standingService(LASTING);
  shop = await newMerchant(service);
});

const stateOf = async ({ id }: Wire): Promise<Wire> =>
  (await exchange("GET", `${service.checkoutUrl}/pay/i/${id}/state`)).json;
const seen = (intent: Wire, body: unknown) => askCheckout(service, intent, "seen", body);

/** Signs the intent's payment on the terms that its buyers are shown, with any wallet, funded or not. */
async function forge(intent: Wire, wallet: LocalWallet, { termsHash }: Wire, blockhash?: string) {
  const notAfter = Math.floor(Date.parse(intent.expiresAt) / 1_000);
  const options = { notAfter, termsHash, ...(blockhash !== undefined && { blockhash }) };
  const { wire, signature } = await draftPayment(service, wallet, intent, options);
  return { signature, transaction: Buffer.from(wire).toString("base64") };
}

/** Moves what a new payer has of the test's token to another wallet, by a node that has no faults. */
async function moveTokens(from: LocalWallet, to: Address): Promise<void> {
  const mint = service.asset as Address;
  const [source, destination] = await Promise.all(
    [from.address, to].map((owner) => findTokenAccountAddress({ owner, mint, tokenProgram: TOKEN_PROGRAM_ID })),
  );
  const data = Buffer.alloc(9);
  data[0] = 3; // Transfer
  data.writeBigUInt64LE(1_000_000_000n, 1);
  const { wire, signature } = signTransaction({
    instructions: [
      await createTokenAccountInstruction({ payer: from.address, owner: to, mint, tokenProgram: TOKEN_PROGRAM_ID }),
      {
        programAddress: TOKEN_PROGRAM_ID,
        accounts: [
          { address: source!, role: AccountRole.WRITABLE },
          { address: destination!, role: AccountRole.WRITABLE },
          { address: from.address, role: AccountRole.READONLY_SIGNER },
        ],
        data,
      },
    ],
    wallets: [from],
    blockhash: await latestBlockhash(service.rpcUrl),
  });
  await sendWire(`${service.rpcUrl}/other`, wire);
  await awaitSignature(service.rpcUrl, signature, "confirmed");
}

test("§4.14.5 nobody reads that a payment is on its way while its wallet is empty, however often one is reported", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const built = await buildFor(service, intent, buyer.address);
  for (let number = 0; number < 6; number++) {
    const fake = await forge(intent, newWallet(), built);
    assertRefused(await askCheckout(service, intent, "submit", fake), 422, "simulation_failed");
    assert.equal((await seen(intent, fake)).status, 202);
    const { state, inFlight } = await stateOf(intent);
    assert.deepEqual([state, inFlight.kind, inFlight.signature], ["waiting", "reported", fake.signature]);
  }
  // No node knows this blockhash, so none can simulate the payment.
  for (const path of ["submit", "seen"] as const) {
    await askCheckout(service, intent, path, await forge(intent, newWallet(), built, newWallet().address));
    assert.equal((await stateOf(intent)).state, "waiting", path);
  }
  // While no node simulates, the service cannot know that a new payment would land.
  await control(service, "/faults", { mode: "rpc_error", methods: ["simulateTransaction"] });
  assert.equal((await seen(intent, await forge(intent, newWallet(), built))).status, 202);
  assert.equal((await stateOf(intent)).state, "waiting");
  await control(service, "/faults", { mode: "none" });

  const { transaction } = signWith(built.transaction, buyer);
  assert.equal((await askCheckout(service, intent, "submit", { transaction })).status, 202);
  await awaitPaid(shop, intent.id);
});

test("§4.14.7 strangers who ask from 17 networks for empty wallets keep no buyer waiting", async () => {
  const buyer = await newPayer(service);
  const intent = await shop.create();
  const [statuses, own]: [number[], number[]] = [[], []];
  for (let round = 0; round < 20; round++) {
    const networks = Array.from({ length: 17 }, (_, at) => `2001:db8:${at}:7::1`);
    const strangers = networks.map((network) =>
      askCheckout(service, intent, "build", { account: newWallet().address }, [["X-Forwarded-For", network]]),
    );
    own.push((await askCheckout(service, intent, "build", { account: buyer.address })).status);
    statuses.push(...(await Promise.all(strangers)).map(({ status }) => status));
  }
  // A slow machine's chain may be late for some.
  const answered = (all: readonly number[]) => all.filter((status) => status !== 503);
  assert.deepEqual([...new Set(answered(own))], [200]);
  assert.ok(answered(own).length > own.length / 2, `the buyer read ${own}`);
  assert.deepEqual([...new Set(answered(statuses))], [422], "they read what they lack");
});

test("§4.14.5 a payment is on its way while it can land: not when its tokens left, and again when they are back", async () => {
  const [buyer, other] = [await newPayer(service), await newPayer(service)];
  const intent = await shop.create();
  const { transaction, signature } = signWith((await buildFor(service, intent, buyer.address)).transaction, buyer);
  // For now neither the wallet nor the relay gets it to the chain: the node accepts it and drops it.
  await control(service, "/faults", { mode: "null_result", methods: ["sendTransaction"], node: "" });
  assert.equal((await seen(intent, { signature, transaction })).status, 202);
  assert.equal((await stateOf(intent)).state, "in_flight");
  const stands = (state: string, kind: string) =>
    eventually(`the state is ${state}`, async () => {
      const now = await stateOf(intent);
      return now.state === state && now.inFlight?.kind === kind;
    });
  // An outage says nothing about a payment that could land before it.
  await control(service, "/faults", { mode: "rpc_error", methods: ["simulateTransaction"], count: 2 });
  await eventually("the relay has looked during the outage", async () => {
    assert.equal((await stateOf(intent)).state, "in_flight");
    const { json } = await exchange("GET", `${service.controlUrl}/faults`);
    return json.faults.length === 1;
  });

  await moveTokens(buyer, other.address);
  await stands("waiting", "reported");
  await moveTokens(other, buyer.address);
  await stands("in_flight", "sent");
  await control(service, "/faults", { mode: "none" });
  assert.equal((await awaitPaid(shop, intent.id)).payment.signature, signature);
});

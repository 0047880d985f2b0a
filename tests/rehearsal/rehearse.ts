import assert from "node:assert/strict";
import { callRpc } from "@holdfast/devnet/client.ts";
import type { DeploymentKeys } from "@holdfast/receipt";
import { type Nodes, StandaloneService } from "../faults/standaloneService.ts";
import { act } from "../harness/chain.ts";
import { awaitPayment } from "../harness/expectEvents.ts";
import { exchange } from "../harness/http.ts";
import { newMerchant, type Wire } from "../harness/merchant.ts";
import { eventually } from "../harness/wait.ts";
import { AMOUNT, awaitDispute, ruleAtDesk, type Scene } from "../realnode/acts.ts";
import { invitePerson, makePlayers, PERSON_MS_MAX, type Player } from "./players.ts";
import { type ActName, examineReport, type RehearsedPayment, signReport } from "./report.ts";

export interface RehearsalOptions {
  readonly openNodes: (folder: string) => Promise<Nodes>;
  /** People with wallets, each as `NAME=ADDRESS`. */
  readonly people: readonly string[];
  readonly commit: string;
  readonly say: (text: string) => void;
}

/** A cluster of others is asked less often than a local chain. */
const SWEEP_MS = 1_000;

/** What is done with the payments, one after the other; further ones stay protected. */
const ACTS: readonly ActName[] = ["ruled", "refunded", "released", "protected"];

/** Plays the whole life of payments on a chain, and returns the signed report, which has been verified by the chain's node. */
export async function rehearse({ openNodes, people, commit, say }: RehearsalOptions): Promise<string> {
  const startedAt = new Date().toISOString();
  const service = await StandaloneService.startOn(openNodes, { nodes: ["one"], chain: { sweepMs: SWEEP_MS } });
  try {
    const scene = { service, shop: await newMerchant(service) };
    const { rpcUrl, programId, operator, wallets } = service;
    say(`The program is ${programId}, the operator account ${operator}.`);
    const invited = [];
    for (const person of people) invited.push(await invitePerson(scene, person, say));
    const players = [...invited, ...(await makePlayers(scene, people.length))];
    const payments: RehearsedPayment[] = [];
    for (const [index, player] of players.entries())
      payments.push(await play(scene, player, ACTS[index] ?? "protected", say));
    const node = await callRpc<Readonly<Record<string, string>>>(rpcUrl, "getVersion", []);
    const report = {
      object: "rehearsal",
      v: 1,
      ...{ commit, startedAt, endedAt: new Date().toISOString() },
      chain: { genesisHash: await callRpc<string>(rpcUrl, "getGenesisHash", []), programId, operator },
      ...{ node: node["solana-core"] ?? "unknown", authority: wallets.authority.address, payments },
      deployment: await readJson<DeploymentKeys>(`${service.checkoutUrl}/.well-known/holdfast.json`),
      receipts: await Promise.all(payments.map(({ payment }) => readReceipt(scene, payment))),
    } as const;
    const text = signReport(report, wallets.authority);
    assert.deepEqual(await examineReport(text, [rpcUrl]), []);
    return text;
  } finally {
    await service.remove();
  }
}

async function play(
  scene: Scene,
  player: Player,
  wanted: ActName,
  say: (text: string) => void,
): Promise<RehearsedPayment> {
  const { shop } = scene;
  const { name, way, address } = player;
  const intent = await shop.create({ amount: String(AMOUNT) });
  await player.pay(intent);
  const { payment } = await eventually(
    `${name} has paid`,
    async () => {
      const shown = await shop.intent(intent.id);
      return shown.status === "paid" && shown;
    },
    PERSON_MS_MAX,
  );
  say(`✔ paid by ${name} (${way}): ${payment.id}`);
  await ACTIONS[wanted](scene, player, payment);
  say(`✔ ${wanted}: ${payment.id}`);
  return { wallet: name, way, sender: address, payment: payment.id, act: wanted };
}

const ACTIONS: Readonly<Record<ActName, (scene: Scene, player: Player, payment: Wire) => Promise<unknown>>> = {
  ruled: async (scene, player, payment) => {
    await player.act(payment, "dispute");
    const dispute = await awaitDispute(scene, payment, PERSON_MS_MAX);
    await player.askArbiter(payment);
    await ruleAtDesk(scene, dispute);
  },
  refunded: async ({ service, shop }, _, payment) => {
    await act(service, service.wallets.recipient, "refund", payment.id);
    await awaitPayment(shop, payment.id, "refunded");
  },
  released: async ({ shop }, player, payment) => {
    await player.act(payment, "release");
    await eventually(
      "it is released",
      async () => (await shop.payment(payment.id)).status === "released",
      PERSON_MS_MAX,
    );
  },
  protected: async () => undefined,
};

async function readReceipt({ service, shop }: Scene, payment: string) {
  const { receiptUrl } = await shop.payment(payment);
  return readJson<never>(`${service.checkoutUrl}/pay/p/${payment}.json${new URL(receiptUrl).search}`);
}

async function readJson<Value>(url: string): Promise<Value> {
  const answer = await exchange("GET", url);
  assert.equal(answer.status, 200, answer.text);
  return answer.json as Value;
}

import { sendWire } from "@holdfast/devnet/client.ts";
import { type LocalWallet, newWallet } from "@holdfast/devnet/wallets.ts";
import { TOKEN_PROGRAM_ID } from "@holdfast/escrow-client";
import { type Address, address } from "@solana/kit";
import { pay } from "../harness/chain.ts";
import type { Wire } from "../harness/merchant.ts";
import { request, sign } from "../harness/solanaPay.ts";
import { actByReceipt, askArbiterAsBuyer, type Scene, submitPayment } from "../realnode/acts.ts";
import { give } from "../realnode/land.ts";

const LAMPORTS = 50_000_000n;
const TOKENS = 1_000_000_000n;
/** A person has to read, unlock a wallet, and sign. */
export const PERSON_MS_MAX = 30 * 60_000;

/** A buyer of the rehearsal. Each act resolves once it was done or asked for; the service then shows it. */
export interface Player {
  readonly name: string;
  readonly way: string;
  readonly address: Address;
  pay(intent: Wire): Promise<void>;
  act(payment: Wire, action: "dispute" | "release"): Promise<void>;
  askArbiter(payment: Wire): Promise<void>;
}

/** The ways to pay of wallets whose keys the rehearsal holds. */
const WAYS: Readonly<Record<string, (scene: Scene, intent: Wire, buyer: LocalWallet) => Promise<unknown>>> = {
  checkout: (scene, intent, buyer) => submitPayment(scene, intent, buyer),
  "checkout, version 1": (scene, intent, buyer) => submitPayment(scene, intent, buyer, 1),
  "Solana Pay": async ({ service }, { id }, buyer) => {
    const requested = await request(`${service.checkoutUrl}/pay/i/${id}/request`, buyer.address);
    if ("refused" in requested) throw new Error(requested.refused);
    await sendWire(service.rpcUrl, Buffer.from(sign(requested, buyer).transaction, "base64"));
  },
  "own transaction": ({ service }, intent, buyer) => pay(service, intent, { buyer }),
};

/** Wallets of the rehearsal's own, from a way on: they stand in for people who are not there. */
export const makePlayers = (scene: Scene, from: number): Promise<Player[]> =>
  Promise.all(
    Object.entries(WAYS)
      .slice(from)
      .map(async ([way, play]) => {
        const wallet = newWallet();
        await fund(scene, wallet.address);
        return {
          ...{ name: "wallet of the rehearsal", way, address: wallet.address },
          pay: async (intent: Wire) => void (await play(scene, intent, wallet)),
          act: (payment: Wire, action: string) => actByReceipt(scene, payment, action, wallet),
          askArbiter: (payment: Wire) => askArbiterAsBuyer(scene, payment, wallet),
        };
      }),
  );

/** A person with a wallet, who is told what to do; `given` is a name and an address, as `Phantom=7xKX…`. */
export async function invitePerson(scene: Scene, given: string, say: (text: string) => void): Promise<Player> {
  const [name = "", text = ""] = given.split("=");
  const own = address(text);
  await fund(scene, own);
  const ask = async (text: string) => say(`${name}: ${text}`);
  const receiptOf = async ({ id }: Wire) => (await scene.shop.payment(id)).receiptUrl;
  return {
    ...{ name, way: "by a person", address: own },
    pay: ({ checkoutUrl }) => ask(`open ${checkoutUrl} and pay with ${own}.`),
    act: async (payment, action) =>
      ask(
        action === "dispute"
          ? `open ${await receiptOf(payment)}, choose "Something is wrong", and open the dispute.`
          : `open ${await receiptOf(payment)} and release the money.`,
      ),
    askArbiter: async (payment) => ask(`on the dispute's page of ${await receiptOf(payment)}, ask the arbiter.`),
  };
}

async function fund({ service }: Scene, owner: Address): Promise<void> {
  const { rpcUrl, wallets, asset } = service;
  await give(rpcUrl, wallets.faucet, owner, "SOL", LAMPORTS);
  await give(rpcUrl, wallets.faucet, owner, { address: asset, tokenProgram: TOKEN_PROGRAM_ID }, TOKENS);
}

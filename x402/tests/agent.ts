import type { LocalWallet } from "@holdfast/devnet/wallets.ts";
import { wrapFetchWithPayment, x402Client, x402HTTPClient } from "@x402/fetch";
import { exchange } from "../../tests/harness/http.ts";
import { untilTaken, type Wire } from "../../tests/harness/merchant.ts";
import type { RunningService } from "../../tests/harness/service.ts";
import { ProtectedClient } from "../client.ts";
import { type Policy, requireCalledResource } from "../policy.ts";
import type { PaymentRequirements } from "../protocol.ts";

/** The policy of an agent that knows this service. */
export const policyOf = (service: RunningService): Policy => ({
  programs: [service.programId],
  operators: [service.operator],
  arbiters: [service.wallets.arbiter.address],
  periodMin: "sevenDays",
  amountMax: { [service.asset]: 5_000_000n },
  requireSignedOffer: false,
});

/** An agent with the stock fetch of x402, and our class alone. `sent`: the headers that it sent, each by `send`. */
export function newAgent(
  service: RunningService,
  wallet: Pick<LocalWallet, "signer">,
  send: (request: Request) => Promise<Response> = fetch,
) {
  const { rpcUrl } = service;
  const sent: string[] = [];
  const client = x402Client.fromConfig({
    schemes: [
      {
        network: "solana:*",
        client: new ProtectedClient({ signer: wallet.signer, rpcUrl, policy: policyOf(service) }),
      },
    ],
    spendControls: false,
  });
  const noting: typeof fetch = (input, init) => {
    const request = new Request(input, { ...init, redirect: "error" });
    const header = request.headers.get("payment-signature");
    if (header === null) return fetch(request);
    sent.push(header);
    return send(request);
  };
  const fetchPaid = wrapFetchWithPayment(noting, new x402HTTPClient(client).onPaymentRequired(requireCalledResource));
  return { sent, fetch: fetchPaid, pay: (intent: Wire) => fetchPaid(intent.x402Url, { method: "POST" }) };
}

/** Sends what an agent sends, nothing or a payment, until it is answered: a 503 asks for the same request once more. */
export const askAgain = (intent: Wire, header: string | null = null) =>
  untilTaken(() =>
    exchange("POST", intent.x402Url, { headers: header === null ? [] : [["PAYMENT-SIGNATURE", header]] }),
  );

export async function offerOf(intent: Wire): Promise<{ readonly required: Wire; readonly offer: PaymentRequirements }> {
  const { json: required } = await askAgain(intent);
  return { required, offer: required.accepts[0] };
}

export const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64");

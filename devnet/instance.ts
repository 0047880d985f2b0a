import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, address } from "@solana/kit";
import type { IntentTerms, Market } from "./buyer.ts";
import { readWallets, type Wallets } from "./chain.ts";

/** The running instance, as its `ready.json` describes it. */
export interface Instance extends Market {
  readonly apiUrl: string;
  readonly controlUrl: string;
  readonly testKey: string;
  readonly wallets: Wallets;
}

/** An intent as the API shows it, as far as a buyer needs it. */
export interface ShownIntent extends IntentTerms {
  readonly id: string;
  readonly status: string;
  readonly expiresAt: string;
  readonly payment: { readonly id: string; readonly sender: string } | null;
}

/** Finds the instance that runs on the data folder. */
export function findInstance(dataDir: string): Instance {
  const path = join(dataDir, "ready.json");
  let ready: Record<string, string>;
  try {
    ready = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`nothing runs on ${dataDir}: start it with npm start, or name its folder in DATA_DIR`);
  }
  const need = (name: string): string => {
    const value = ready[name];
    if (typeof value !== "string") throw new Error(`${path} has no ${name}: this instance runs no local chain`);
    return value;
  };
  return {
    apiUrl: need("apiUrl"),
    controlUrl: need("controlUrl"),
    testKey: need("testKey"),
    rpcUrl: need("rpcUrl"),
    programId: address(need("programId")) as Address,
    operator: address(need("operator")) as Address,
    wallets: readWallets(join(dataDir, "devnet", "wallets")),
  };
}

async function readAnswer<T>(response: Response): Promise<T> {
  const body = (await response.json()) as T & { error?: { code: string; message: string } };
  if (!response.ok)
    throw new Error(`${response.status} ${body.error?.code ?? ""}: ${body.error?.message ?? "no reason given"}`);
  return body;
}

export async function readIntent({ apiUrl, testKey }: Instance, id: string): Promise<ShownIntent> {
  const response = await fetch(`${apiUrl}/payment-intents/${encodeURIComponent(id)}`, {
    headers: { authorization: `Bearer ${testKey}` },
  });
  return readAnswer<ShownIntent>(response);
}

/** Moves the clock of chain and service together; answers when both agree. */
export async function advanceClock({ controlUrl }: Instance, seconds: number): Promise<void> {
  const response = await fetch(`${controlUrl}/advance`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ seconds }),
  });
  await readAnswer<unknown>(response);
}

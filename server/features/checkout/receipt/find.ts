import { isAddress, isSignature } from "../../../domain/addresses.ts";
import { isIntentId } from "../../../domain/ids.ts";
import type { Environment } from "../../../domain/terms.ts";
import { NetworkLimit } from "../../../edge/buyer/limits.ts";
import { Turns } from "../../../lib/turns.ts";
import type { Database } from "../../../store/database.ts";
import type { Context } from "../../context.ts";
import { hasIntent } from "../../intents/fragments.ts";
import { listOfSender, listOfSignature } from "../../payments/fragments.ts";
import { listReceipts, listReceiptsWithToken } from "./queries.ts";
import { stateOf } from "./receipt.ts";

/** The texts that a reader may paste. */
type Wanted =
  | { readonly kind: "intent"; readonly id: string }
  | { readonly kind: "signature"; readonly signature: string }
  | { readonly kind: "address"; readonly address: string };

/** A payment in a list: what the chain shows of it, and no more. */
export interface FoundPayment {
  readonly address: string;
  readonly environment: Environment;
  readonly amount: string;
  readonly asset: string | null;
  readonly decimals: number | null;
  readonly createdAt: Date | null;
  readonly state: ReturnType<typeof stateOf>;
}

/** `page`: there is one, at this path; `limited`: its network asked too often, and may again after so many seconds. */
export type Finding =
  | { readonly kind: "page"; readonly path: string }
  | { readonly kind: "list"; readonly payments: readonly FoundPayment[]; readonly isMore: boolean }
  | { readonly kind: "nothing" }
  | { readonly kind: "invalid" }
  | { readonly kind: "limited"; readonly waitSeconds: number };

/** Longer than any link of a payment. */
const QUERY_CHARACTERS_MAX = 2_000;

/** Parses what was pasted: an id, an address or a signature, alone or within a link. Null: it is none of them. */
function parseWanted(text: string): Wanted | null {
  if (text.length > QUERY_CHARACTERS_MAX) return null;
  for (const word of text.split(/[^A-Za-z0-9_]+/)) {
    if (isIntentId(word)) return { kind: "intent", id: word };
    if (isSignature(word)) return { kind: "signature", signature: word };
    if (isAddress(word)) return { kind: "address", address: word };
  }
  return null;
}

/** The most payments in a list. One more says that there are more. */
const FOUND_MAX = 50;
/** Finds per network and minute: far more than a person needs. */
const FINDS_MAX = 60;
/** Transactions of these that are looked up on chain, by the network's provider. */
const LOOK_UPS_MAX = 10;
/** Look-ups of one process at once; the others wait for their turn. */
const LOOK_UP_TURNS = { atOnce: 4, waitingMax: 200, waitMsMax: 10_000 };

/** Look-ups of signatures that strangers name, within what all pages and routes of a process have together. */
export function createLookUps() {
  const [limit, turns] = [new NetworkLimit(LOOK_UPS_MAX), new Turns(LOOK_UP_TURNS)];
  return {
    /** Counts a look-up of a network. Null: it may run; else whole seconds until the next one may. */
    use: (network: string): number | null => limit.use(network),
    run: <Result>(work: () => Promise<Result>): Promise<Result> => turns.run("look-up", work),
  };
}
export type LookUps = ReturnType<typeof createLookUps>;

/**
 * Finds payments for whoever asks, within limits. It answers nothing that the chain does not show. `recordTransaction` records
 * the payments of a landed transaction of any environment, if it made some, and throws `ChainUnavailableError` if no node
 * answers.
 */
export function createFinder(
  { database }: Pick<Context, "database">,
  lookUps: LookUps,
  recordTransaction: (signature: string) => Promise<void>,
) {
  const finds = new NetworkLimit(FINDS_MAX);

  async function findBySignature(signature: string, network: string): Promise<Finding> {
    const known = await listOfSignature(database, signature, FOUND_MAX);
    if (known.length > 0) return answerWith(database, known, false);
    const waitSeconds = lookUps.use(network);
    if (waitSeconds !== null) return { kind: "limited", waitSeconds };
    // One chain may be away while another one has the transaction.
    const outcome = await Promise.allSettled([lookUps.run(() => recordTransaction(signature))]);
    const found = await listOfSignature(database, signature, FOUND_MAX);
    for (const one of outcome) if (found.length === 0 && one.status === "rejected") throw one.reason;
    return answerWith(database, found, false);
  }

  return {
    /** The payments that a pasted text names. */
    async find(text: string, network: string): Promise<Finding> {
      const waitSeconds = finds.use(network);
      if (waitSeconds !== null) return { kind: "limited", waitSeconds };
      const wanted = parseWanted(text);
      if (wanted === null) return { kind: "invalid" };
      if (wanted.kind === "intent")
        return (await hasIntent(database, wanted.id))
          ? { kind: "page", path: `/pay/i/${wanted.id}` }
          : { kind: "nothing" };
      if (wanted.kind === "signature") return findBySignature(wanted.signature, network);
      const { address } = wanted;
      const [payment] = await listReceipts(database, [address]);
      return payment === undefined ? listOf(database, address) : { kind: "page", path: pathOf(address) };
    },
    /** The payments of a wallet. */
    async findOfAccount(account: string, network: string): Promise<Finding> {
      const waitSeconds = finds.use(network);
      if (waitSeconds !== null) return { kind: "limited", waitSeconds };
      return isAddress(account) ? listOf(database, account) : { kind: "invalid" };
    },
  };
}
export type Finder = ReturnType<typeof createFinder>;

const pathOf = (address: string): string => `/pay/p/${address}`;

async function listOf(database: Database, account: string): Promise<Finding> {
  const addresses = await listOfSender(database, account, FOUND_MAX + 1);
  if (addresses.length === 0) return { kind: "nothing" };
  const payments = await listFound(database, addresses.slice(0, FOUND_MAX));
  return { kind: "list", payments, isMore: addresses.length > FOUND_MAX };
}

async function answerWith(database: Database, addresses: readonly string[], isMore: boolean): Promise<Finding> {
  const [first] = addresses;
  if (first === undefined) return { kind: "nothing" };
  if (addresses.length === 1) return { kind: "page", path: pathOf(first) };
  return { kind: "list", payments: await listFound(database, addresses), isMore };
}

async function listFound(database: Database, addresses: readonly string[]): Promise<FoundPayment[]> {
  const found = await listReceiptsWithToken(database, addresses);
  return found.map((one) => {
    const { id, environment, amount, asset, createdAt } = one.payment;
    return { address: id, environment, amount, asset, decimals: one.token.decimals, createdAt, state: stateOf(one) };
  });
}

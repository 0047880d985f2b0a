import { CHAIN_READ_MS } from "../domain/limits.ts";
import type { Environment } from "../domain/terms.ts";
import {
  address,
  addressOr,
  amounts,
  choice,
  type Form,
  file,
  integer,
  list,
  matching,
  needed,
  object,
  readOwn,
  setting,
  url,
  type Values,
} from "./setting.ts";

export const HTTP = ["http:", "https:"] as const;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
export const shownName = matching(/^(?!\s)\P{Cc}{1,100}(?<!\s)$/u, "a name of 1 to 100 characters");

const LAMPORTS_MAX = 1_000_000_000_000;
const inLamports = integer(0, LAMPORTS_MAX);
const lamports: Form<bigint> = {
  ...inLamports,
  parse: (given, place) => {
    const amount = inLamports.parse(given, place);
    return amount === undefined ? undefined : BigInt(amount);
  },
};

const KEEPER = {
  keyFile: needed(file, "fee payer's key, a JSON array of 64 bytes; only workers read it"),
  unitPrice: setting(integer(0, 1_000_000_000), 0, "priority fee, in micro-lamports per compute unit"),
  // With a node that answers in 75 ms, this sends about 200 requests a second, and pays out twice as many parts.
  concurrency: setting(integer(1, 64), 16, "transactions that each worker has under way at once"),
  // 0.05 SOL: 10,000 transactions at the base fee.
  balanceMin: setting(lamports, 50_000_000n, "lamports of the fee payer below which the log says so"),
  rentPayers: setting(list(address), [], "your other wallets that paid for payments' accounts"),
};

/** At 0.0037 SOL a payment the maxima are about 54, 270 and 2,700 payments, at 0.0051 some 39, 196 and 1,960. */
const SPONSOR = {
  keyFiles: needed(list(file, 1), "keys of the wallets, each a JSON array of 64 bytes"),
  amountsMin: needed(amounts(), "tokens that are sponsored, and the least amount of each"),
  hourMax: setting(lamports, 200_000_000n, "lamports that sponsors pay in a clock hour, rents included"),
  dayMax: setting(lamports, 1_000_000_000n, "the same in a day of UTC"),
  boundMax: setting(lamports, 10_000_000_000n, "lamports that may be out at once: bound rents, and offers"),
  balanceMin: setting(lamports, 100_000_000n, "lamports of a sponsor below which the log says so"),
};
const sponsorForm = object(SPONSOR, ({ amountsMin }, member) => {
  if (amountsMin.size === 0) member("amountsMin").refuse("must name the tokens that are sponsored.");
});

const AT_FIRST_START = "the one found at the first start";
const domain = matching(DOMAIN, "a domain in lower case, such as arbiter.example.com");
const hash = matching(/^[0-9a-f]{64}$/, "64 hex digits");
const NO_AMOUNTS: ReadonlyMap<string, bigint> = new Map();

/** The members of `TEST_CHAIN` and `LIVE_CHAIN`. */
export const CHAIN = {
  rpcUrls: needed(list(url(...HTTP), 1), "RPC nodes of the chain, the preferred one first"),
  wsUrls: setting(list(url("ws:", "wss:")), [], "WebSocket addresses of nodes; they only wake the sweep earlier"),
  programId: needed(address, "address of the escrow program"),
  operator: needed(address, "address of the operator account"),
  arbiter: setting(list(address), [], "arbiters for whose payments checkouts may be built (§10.12)", AT_FIRST_START),
  upgradeAuthority: setting(list(addressOr("none")), [], "upgrade authorities that you confirm", AT_FIRST_START),
  programHash: setting(list(hash), [], "SHA-256 of program files that you confirm", AT_FIRST_START),
  arbiterName: setting(shownName, null, "name of the arbiter, as buyers read it next to its address"),
  arbiterDomain: setting(domain, null, "domain of the arbiter"),
  // A payment of 150,000 units then offers at most 0.000075 SOL. At the runtime's most units the maximum stays below what
  // the page's decoder lets pass.
  checkoutUnitPriceMax: setting(integer(0, 7_000_000), 500_000, "the most that a checkout offers for priority"),
  secondNodeFrom: setting(amounts("*"), NO_AMOUNTS, "amounts that a second node must show too (§4.5.14)"),
  sweepMs: setting(integer(20, 60_000), 4_000, "time between two reads of the chain's newest signatures"),
  revertSlots: setting(integer(0, 100_000), 300, "final slots past a payment before it may be reverted (§3.3.1)"),
  revertApartMs: setting(integer(0, 3_600_000), 30_000, "time between the two reads that revert one (§3.3.1)"),
  keeper: setting(object(KEEPER), null, "the wallet that [pays out](how-to/run-the-keeper.md)", "none: no keeper"),
  sponsor: setting(sponsorForm, null, "[wallets that pay](how-to/sponsor-payments.md) for buyers", "none: no sponsor"),
};

export interface ChainSettings extends Values<typeof CHAIN> {
  readonly environment: Environment;
}

/** The settings of an environment's chain. A live chain may not weaken the rule for reversals; only tests need that. */
export const chainForm = (environment: Environment) =>
  object(CHAIN, (chain, member) => {
    if (chain.secondNodeFrom.size > 0 && chain.rpcUrls.length < 2)
      member("secondNodeFrom").refuse("needs two RPC nodes at least.");
    for (const name of ["revertSlots", "revertApartMs"] as const)
      if (environment === "live" && chain[name] < CHAIN[name].fallback!)
        member(name).refuse(`is at least ${CHAIN[name].fallback} on a live chain.`);
  });

/** Settings of a test chain that the code itself chose, such as those of the local chain; the rest are the defaults. */
export const draftChainSettings = (given: Readonly<Record<string, unknown>>): ChainSettings => ({
  environment: "test",
  ...readOwn(object(CHAIN), given),
});

const program = matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}=./, "address=file");

/** The value of `LOCAL_CHAIN`. */
export const LOCAL_CHAIN = object({
  consensus: setting(choice("tower", "alpenglow"), "alpenglow", "final by votes, or in the next slot, which lasts"),
  slotMs: setting(integer(10, 60_000), null, "time between two slots", "200; `tower`: 400"),
  finalizedSlots: setting(integer(1, 10_000), 32, "slots until votes make one final"),
  skipEvery: setting(integer(3, 10_000), null, "each slot whose number divides by it has no block", "none is skipped"),
  answerMs: setting(integer(100, 60_000), CHAIN_READ_MS, "time for its answers to one request"),
  programs: setting(list(program), [], "more programs, such as a smart wallet"),
});

import type { Environment } from "../domain/terms.ts";
import {
  address,
  addressOr,
  amounts,
  file,
  form,
  integer,
  list,
  matching,
  needed,
  object,
  readOwn,
  setting,
  toggle,
  url,
  type Values,
} from "./setting.ts";

export const HTTP = ["http:", "https:"] as const;
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/;
export const shownName = matching(/^(?!\s)\P{Cc}{1,100}(?<!\s)$/u, "a name of 1 to 100 characters");

const LAMPORTS_MAX = 1_000_000_000_000;
const lamports = form(`a whole number from 0 to ${LAMPORTS_MAX}`, (given) =>
  Number.isInteger(given) && Number(given) >= 0 && Number(given) <= LAMPORTS_MAX ? BigInt(Number(given)) : undefined,
);

export const KEEPER = {
  keyFile: needed(file, "file with the keeper's fee-payer key, a JSON array of 64 bytes; only workers read it"),
  unitPrice: setting(
    integer(0, 1_000_000_000),
    0,
    "priority fee that the keeper offers, in micro-lamports per compute unit",
  ),
  // A node that answers in 75 ms is asked about 200 times a second, and pays out twice as many parts.
  concurrency: setting(
    integer(1, 64),
    16,
    "transactions that each worker's keeper has under way at once; lower it where a provider allows few requests",
  ),
  // 0.05 SOL: 10,000 transactions at the base fee.
  balanceMin: setting(
    lamports,
    50_000_000n,
    "lamports of the keeper's fee payer below which the log says so ([when it runs out](how-to/run-the-keeper.md))",
  ),
  rentPayers: setting(
    list(address),
    [],
    "wallets of yours, other than the fee payer, that paid for payments' accounts: the keeper closes those records after 90 days, and each gets its rent back",
  ),
};

/** At 0.0037 SOL a payment the maxima are about 54, 270 and 2,700 payments, at 0.0051 some 39, 196 and 1,960. */
const SPONSOR = {
  keyFiles: needed(
    list(file, 1),
    "files with the keys of wallets that [pay for buyers without SOL](how-to/sponsor-payments.md), each a JSON array of 64 bytes",
  ),
  amountsMin: needed(amounts(), "tokens that are sponsored, and the least amount of each"),
  hourMax: setting(lamports, 200_000_000n, "lamports that sponsors pay in a clock hour, rents included"),
  dayMax: setting(lamports, 1_000_000_000n, "the same in a day of UTC"),
  boundMax: setting(
    lamports,
    10_000_000_000n,
    "lamports that may be out at once: rents that are bound, and offers to buyers",
  ),
  balanceMin: setting(lamports, 100_000_000n, "lamports of a sponsor below which the log says so"),
};

const AT_FIRST_START = "the one found at the first start";

/** The members of `TEST_CHAIN` and `LIVE_CHAIN`. */
export const CHAIN = {
  rpcUrls: needed(list(url(...HTTP), 1), "RPC nodes of the environment's chain, the preferred one first"),
  wsUrls: setting(
    list(url("ws:", "wss:")),
    [],
    "WebSocket addresses of nodes; they only make the sweep read the chain earlier",
  ),
  programId: needed(address, "address of the escrow program"),
  operator: needed(address, "address of the operator account"),
  arbiter: setting(
    list(address),
    [],
    "arbiters for whose payments checkouts may be built (§10.12): both of them while one replaces the other",
    AT_FIRST_START,
  ),
  upgradeAuthority: setting(
    list(addressOr("none")),
    [],
    "upgrade authorities of the program that you confirm; `none`: nobody can replace the program. A single key on `live` must be named here",
    AT_FIRST_START,
  ),
  programHash: setting(
    list(matching(/^[0-9a-f]{64}$/, "64 hex digits")),
    [],
    "SHA-256 of the program's deployed file without zeros at its end; that of this release is `program` in `program/manifest.json`",
    AT_FIRST_START,
  ),
  arbiterName: setting(shownName, null, "name of the arbiter, as buyers read it next to its address"),
  arbiterDomain: setting(
    matching(DOMAIN, "a domain in lower case, such as arbiter.example.com"),
    null,
    "domain of the arbiter",
  ),
  // A payment of 150,000 units then offers at most 0.000075 SOL. At the runtime's most units the maximum stays below what
  // the page's decoder lets pass.
  checkoutUnitPriceMax: setting(
    integer(0, 7_000_000),
    500_000,
    "the most that a checkout offers for priority, in micro-lamports per compute unit; below it, what nodes report",
  ),
  secondNodeFrom: setting(
    amounts("*"),
    new Map<string, bigint>(),
    "amounts from which a second node must show a payment before it is bound (§4.5.14); `*` is any other mint; needs two RPC nodes",
  ),
  sweepMs: setting(integer(20, 60_000), 4_000, "time between two reads of the chain's newest signatures"),
  revertSlots: setting(
    integer(0, 100_000),
    300,
    "slots by which the chain is final past a payment before it may be reverted (§3.3.1); on `live` not less",
  ),
  revertApartMs: setting(
    integer(0, 3_600_000),
    30_000,
    "time between the two reads that revert a payment (§3.3.1); on `live` not less",
  ),
  keeper: setting(object(KEEPER), null, "the wallet that pays out what is due", "none: no keeper"),
  sponsor: setting(
    object(SPONSOR, ({ amountsMin }, member) => {
      if (amountsMin.size === 0) member("amountsMin").refuse("must name the tokens that are sponsored.");
    }),
    null,
    "the wallets that pay for buyers",
    "none: no sponsor",
  ),
};

export interface ChainSettings extends Values<typeof CHAIN> {
  readonly environment: Environment;
}

/** The chain of an environment. A live chain may not have a weaker rule for reversals, which only tests need. */
export const chainForm = (environment: Environment) =>
  object(CHAIN, (chain, member) => {
    if (chain.secondNodeFrom.size > 0 && chain.rpcUrls.length < 2)
      member("secondNodeFrom").refuse("needs two RPC nodes at least.");
    for (const name of ["revertSlots", "revertApartMs"] as const)
      if (environment === "live" && chain[name] < CHAIN[name].fallback!)
        member(name).refuse(`is at least ${CHAIN[name].fallback} on a live chain.`);
  });

/** A test chain's settings that code chose itself, such as those of the local chain; the rest are the defaults. */
export const draftChainSettings = (given: Readonly<Record<string, unknown>>): ChainSettings => ({
  environment: "test",
  ...readOwn(object(CHAIN), given),
});

/** The value of `LOCAL_CHAIN`. */
export const LOCAL_CHAIN = object({
  slotMs: setting(integer(10, 60_000), 400, "time between two slots"),
  finalizedSlots: setting(integer(3, 10_000), 32, "slots until finality"),
  programs: setting(
    list(matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}=./, "address=file")),
    [],
    "more programs, such as a smart wallet",
  ),
  walletApps: setting(
    toggle,
    false,
    "`on`: on Android the checkout offers wallets' apps too (§12.10); it takes an app for development that knows `solana:localnet`",
  ),
});

import type { Chain } from "../../chain/chain.ts";
import { fetchNodeAbilities } from "../../chain/solana/abilities.ts";
import { fetchNetworkFacts, type NetworkFacts } from "../../chain/solana/networkFacts.ts";
import { refusal } from "../../features/chains/chain.ts";
import { findChain } from "../../features/chains/queries.ts";
import { isLoopback } from "../../lib/loopback.ts";
import type { Database } from "../../store/database.ts";
import type { ChainSettings } from "../chainSettings.ts";
import { type Finding, fail, ok, soon, warn } from "./finding.ts";

const LAG_SLOTS_MAX = 150;
/** A node that kept less could not show the payments of a service that was away for a day. */
const HISTORY_HOURS_MIN = 24;
/** Mainnet's shortest, for a node that does not say: no history is then taken for longer than it is. */
const SLOT_MS_DEFAULT = 200;
const HOUR_MS = 3_600_000;
const LAMPORTS_PER_SOL = 1_000_000_000;

type Asked = Awaited<ReturnType<typeof fetchNodeAbilities>>;
type Abilities = Exclude<Asked, { failure: string }>;

export const inSol = (lamports: number | bigint): string => `${(Number(lamports) / LAMPORTS_PER_SOL).toFixed(4)} SOL`;
export const nameOf = ({ environment }: ChainSettings): string => `${environment.toUpperCase()}_CHAIN`;

/** Each node alone, and what they say of their network. */
export async function checkNodes(
  settings: ChainSettings,
  chain: Chain,
  database: Database | null,
  feePayer: string | null,
): Promise<Finding[]> {
  const deps = { ...settings, log: () => undefined };
  const known = database === null ? null : await findChain(database, settings.environment).catch(() => null);
  const asked = await Promise.all(
    settings.rpcUrls.map((url, node) => fetchNodeAbilities(chain.reader, deps, url, node, feePayer, soon())),
  );
  const facts = await Promise.all(settings.rpcUrls.map((url) => fetchNetworkFacts(deps, url, soon())));
  const best = Math.max(0, ...asked.map((one) => ("slot" in one ? one.slot : 0)));
  const findings = asked.map((one, node): Finding => {
    const check = `${nameOf(settings)} node ${node}`;
    if ("failure" in one)
      return fail(check, `It does not answer: ${one.failure}`, "Check its address and key; ask its provider.");
    const wrong = refusal(settings.environment, one.genesisHash, known?.genesisHash ?? null);
    if (wrong !== null) return fail(check, wrong, "Name nodes of the right chain.");
    const twin = findTwin(settings.rpcUrls, asked, node);
    const lacks = [
      ...(twin === -1 ? [] : [`it is node ${twin} under another address, so nobody contradicts that one`]),
      ...(best - one.slot > LAG_SLOTS_MAX ? [`it is ${best - one.slot} slots behind`] : []),
      ...findLacks(one, facts[node]!),
    ];
    const version = facts[node]!.versions[0] ?? "unknown";
    if (lacks.length === 0)
      return ok(check, `It is at slot ${one.slot}, of version ${version}, and can do all that is asked of it.`);
    return warn(check, `${lacks.join("; ")}.`, "Put a node that can do this first, or add one.");
  });
  const remedy = "Add a second node, of another provider, to rpcUrls.";
  return [
    ...findings,
    ...judgeNetwork(
      `${nameOf(settings)} network`,
      facts.filter((_, node) => !("failure" in asked[node]!)),
    ),
    ...(settings.rpcUrls.length > 1
      ? []
      : [warn(nameOf(settings), "It has one node only: nobody contradicts it, and nobody replaces it.", remedy)]),
  ];
}

function findLacks(one: Abilities, { versions, refusesVersion1, slotMs }: NetworkFacts): string[] {
  const historyHours = ((one.historySlots ?? 0) * (slotMs ?? SLOT_MS_DEFAULT)) / HOUR_MS;
  return [
    ...(one.refusesFutureSlots ? [] : ["it ignores minContextSlot"]),
    ...(one.listsPayments ? [] : ["it does not list a program's accounts"]),
    ...(one.historySlots !== null && historyHours < HISTORY_HOURS_MIN && one.firstSlot !== 0
      ? [`it keeps ${historyHours.toFixed(1)} hours of history, less than a day`]
      : []),
    ...(versions.length > 1 ? [`nodes of several versions answer at its address: ${versions.join(", ")}`] : []),
    ...(refusesVersion1 === true ? ["it takes no transactions of version 1 (Agave 4.2 or newer)"] : []),
    ...(one.showsBalances !== false
      ? []
      : ["its simulations show no balances, which keeper and sponsor need (Agave 3.1 or newer)"]),
  ];
}

/** The network by the first node that says each figure. */
function judgeNetwork(check: string, facts: readonly NetworkFacts[]): Finding[] {
  const known = <Key extends "consensus" | "slotMs" | "blockhashBlocks" | "rent">(key: Key) =>
    facts.map((one) => one[key]).find((value) => value !== null) ?? null;
  const [consensus, slotMs, blocks, rent] = [
    known("consensus"),
    known("slotMs"),
    known("blockhashBlocks"),
    known("rent"),
  ];
  if (facts.length === 0) return [];
  if (consensus === null)
    return [
      warn(check, "No node says if it runs Alpenglow: it is taken for TowerBFT.", "Add one of Agave 4.3 or newer."),
    ];
  if (new Set(facts.flatMap((one) => one.consensus?.kind ?? [])).size > 1)
    return [warn(check, "One node says that it runs Alpenglow, another that it does not.", "Ask their providers why.")];
  const said = [
    consensus.kind === "tower" ? "It runs TowerBFT." : `It has run Alpenglow since slot ${consensus.sinceSlot}.`,
    ...(slotMs === null ? [] : [`A slot takes ${slotMs} ms.`]),
    ...(blocks === null ? [] : [`A blockhash lives for ${blocks} blocks${describeLife(blocks, slotMs)}.`]),
    ...(rent === null ? [] : [describeRent(rent)]),
  ];
  return [ok(check, said.join(" "))];
}

/** Slots without a block make it longer. */
const describeLife = (blocks: number, slotMs: number | null): string =>
  slotMs === null ? "" : `, ${Math.floor((blocks * slotMs) / 1_000)} s or longer`;

const describeRent = ({ lamportsPerByte, paymentLamports }: NonNullable<NetworkFacts["rent"]>): string =>
  `A byte of an account costs ${lamportsPerByte} lamports: a payment binds ${inSol(paymentLamports)}.`;

/** The first node of the list that is the same machine, or the same provider's; -1 if none is. */
function findTwin(urls: readonly string[], asked: readonly Asked[], node: number): number {
  const hostOf = (url: string): string => {
    const { hostname, host, port, protocol } = new URL(url);
    return isLoopback(hostname) ? `this machine, ${port || protocol}` : host;
  };
  const identityOf = (one: Asked): string | null => ("identity" in one ? one.identity : null);
  const isTwin = (other: number): boolean =>
    hostOf(urls[other]!) === hostOf(urls[node]!) ||
    (identityOf(asked[node]!) !== null && identityOf(asked[other]!) === identityOf(asked[node]!));
  return Array.from({ length: node }, (_, other) => other).findIndex(isTwin);
}

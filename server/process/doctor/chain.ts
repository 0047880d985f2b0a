import type { Chain } from "../../chain/chain.ts";
import { canSubscribe } from "../../chain/solana/activity.ts";
import {
  type DeploymentFacts,
  holdReason,
  NO_AUTHORITY,
  refuseDeployment,
  warnOfDeployment,
} from "../../features/chains/deployment.ts";
import { findDeployment } from "../../features/chains/queries.ts";
import type { Database } from "../../store/database.ts";
import type { ChainSettings } from "../chainSettings.ts";
import { openChain } from "../openChain.ts";
import { type Finding, fail, guarded, messageOf, ok, soon, warn } from "./finding.ts";
import { checkNodes, inSol, nameOf } from "./nodes.ts";

const silent = () => undefined;

/** Everything about the chain of an environment. `database`: null if it cannot be reached; `releaseHash`: of this version's program. */
export async function checkChain(
  settings: ChainSettings,
  database: Database | null,
  releaseHash: string,
): Promise<Finding[]> {
  const chain = await openChain({ ...settings, keeper: null, sponsor: null }, silent);
  const { wallets, findings } = await checkWallets(settings);
  const feePayer = wallets.sender?.feePayer ?? wallets.sponsor?.addresses[0] ?? null;
  const withWallets = { ...chain, ...wallets };
  return [
    ...(await checkNodes(settings, chain, database, feePayer)),
    ...(await checkSockets(settings)),
    ...(await guarded(`${nameOf(settings)} program`, () => checkProgram(settings, withWallets, database, releaseHash))),
    ...findings,
  ];
}

async function checkSockets(settings: ChainSettings): Promise<Finding[]> {
  const check = `${nameOf(settings)} wsUrls`;
  const could = await Promise.all(settings.wsUrls.map((url) => canSubscribe(url, settings.operator, soon())));
  return could.map((one, index) =>
    one
      ? ok(check, `Address ${index} takes subscriptions.`)
      : warn(check, `Address ${index} takes no subscription.`, "Correct it: without it payments are seen later."),
  );
}

async function checkProgram(
  settings: ChainSettings,
  chain: Chain,
  database: Database | null,
  releaseHash: string,
): Promise<Finding[]> {
  const check = `${nameOf(settings)} program`;
  const { program, operator } = (await chain.reader.fetchDeployment({ signal: soon() })).value;
  const wrong = refuseDeployment(chain, { program, operator });
  if (wrong !== null || program.kind !== "program" || operator.kind !== "operator")
    return [fail(check, wrong ?? "It is not there.", "See docs/how-to/set-up-the-chain.md")];
  const { kind: _, ...offices } = operator;
  const facts: DeploymentFacts = {
    ...offices,
    upgradeAuthority: program.upgradeAuthority ?? NO_AUTHORITY,
    programSlot: program.deployedSlot,
    programHash: (await chain.reader.fetchProgramHash({ signal: soon() })).value,
  };
  const recorded = database === null ? null : await findDeployment(database, settings.environment).catch(() => null);
  const held = holdReason(chain, facts, recorded?.confirmed ?? facts);
  const isNamed = new Set<string>(settings.programHash).has(facts.programHash);
  return [
    ...(held === null
      ? []
      : [fail(check, held, "If you made the change, name the value; else docs/how-to/runbooks.md")]),
    ...(facts.programHash === releaseHash || isNamed || held !== null
      ? []
      : [
          warn(
            check,
            `Its file, ${facts.programHash}, is not that of this release.`,
            "Build the sources and compare (docs/how-to/go-live.md), then name the hash as programHash.",
          ),
        ]),
    ...warnOfDeployment(chain, facts).map((text) => warn(check, text, "operator propose arbiter <address>")),
    ...(offices.pendingArbiter === null && offices.pendingAuthority === null
      ? []
      : [
          warn(
            check,
            "A new arbiter or authority is proposed.",
            "operator show; if it was not you: docs/how-to/runbooks.md",
          ),
        ]),
    ok(
      check,
      `Upgrade authority ${facts.upgradeAuthority}, authority ${offices.authority}, arbiter ${offices.arbiter}.`,
    ),
  ];
}

/** The wallets of keeper and sponsors, and their balances. */
async function checkWallets(
  settings: ChainSettings,
): Promise<{ readonly wallets: Pick<Chain, "sender" | "sponsor">; readonly findings: Finding[] }> {
  const name = nameOf(settings);
  const none = warn(`${name} keeper`, "No keeper is set: nothing is paid out by itself.", "Set keeper.keyFile.");
  try {
    const { sender, sponsor } = await openChain(settings, silent);
    const findings = await guarded(`${name} wallets`, async () => [
      ...(sender === null
        ? [none]
        : [
            judgeBalance(
              name,
              "keeper",
              sender.feePayer,
              await sender.fetchBalance({ signal: soon() }),
              sender.balanceMin,
            ),
          ]),
      ...[...((await sponsor?.fetchBalances({ signal: soon() })) ?? [])].map(([address, lamports]) =>
        judgeBalance(name, "sponsor", address, lamports, sponsor!.balanceMin),
      ),
    ]);
    return { wallets: { sender, sponsor }, findings };
  } catch (error) {
    const remedy = "Correct keyFile; keeper and sponsors need a key each.";
    return { wallets: { sender: null, sponsor: null }, findings: [fail(`${name} wallets`, messageOf(error), remedy)] };
  }
}

const GUIDES = { keeper: "docs/how-to/run-the-keeper.md", sponsor: "docs/how-to/sponsor-payments.md" } as const;

function judgeBalance(
  name: string,
  kind: keyof typeof GUIDES,
  address: string,
  lamports: bigint,
  min: bigint,
): Finding {
  const check = `${name} ${kind}`;
  const text = `${address} holds ${inSol(lamports)}.`;
  if (lamports >= min) return ok(check, text);
  return (lamports === 0n ? fail : warn)(check, text, `Send it SOL: ${GUIDES[kind]}`);
}

import type { Chain, ConfirmedBySetting } from "../../chain/chain.ts";
import type { Deployment, NotOperator, NotProgram } from "../../chain/deployment.ts";
import { isPlainKey } from "../../domain/addresses.ts";
import type { Environment } from "../../domain/terms.ts";
import { type FieldsOf, nullable, slot, table, word } from "../../lib/columns.ts";

/** The upgrade authority of a program that nobody can replace. */
export const NO_AUTHORITY = "none";

/** Fields of a deployment whose changes are logged. */
const FACT_COLUMNS = {
  authority: word(),
  arbiter: word(),
  pendingAuthority: nullable(word()),
  pendingArbiter: nullable(word()),
  /** {@link NO_AUTHORITY} if nobody can replace the program. */
  upgradeAuthority: word(),
  programSlot: slot(),
  programHash: word(),
};
export type DeploymentFacts = FieldsOf<typeof FACT_COLUMNS>;

/** The confirmed values: those of the join, or of a setting that named a later one. */
export type Confirmed = Pick<DeploymentFacts, "arbiter" | "upgradeAuthority" | "programHash">;
export const CONFIRMED_COLUMNS = {
  confirmedArbiter: word(),
  confirmedUpgradeAuthority: word(),
  confirmedProgramHash: word(),
};

export const DEPLOYMENTS = table("deployments", {
  environment: word<Environment>(),
  slot: slot(),
  ...FACT_COLUMNS,
  ...CONFIRMED_COLUMNS,
});

/** A recorded deployment; `slot` is that of the answer that showed the latest change. */
export interface RecordedDeployment {
  readonly facts: DeploymentFacts;
  readonly confirmed: Confirmed;
  readonly slot: number;
}

type ChainSettings = Pick<Chain, "environment" | "programId" | "operator" | "confirmed">;
/** The keys that the service itself holds. */
type Wallets = { readonly [Name in "sender" | "sponsor"]: Chain[Name] };
const settingOf = ({ environment }: Pick<Chain, "environment">): string => `${environment.toUpperCase()}_CHAIN`;

const WHAT_IS_NO_PROGRAM: Readonly<Record<NotProgram, string>> = {
  nothing: "there is nothing at this address",
  wallet: "this is a wallet",
  account: "this is an account of another program",
  closed_program: "this program was closed",
  program_of_unknown_loader: "this program is of a loader that Holdfast does not know",
};
const WHAT_IS_NO_OPERATOR: Readonly<Record<NotOperator, string>> = {
  nothing: "there is nothing at this address",
  wallet: "this is a wallet",
  program: "this is a program",
  account: "this account belongs to another program",
  payment: "this is another account of the escrow program",
};

/** The reason why the service must not start on this deployment (§10.11), in words that say what to do; null if it may. */
export function refuseDeployment(chain: ChainSettings & Wallets, { program, operator }: Deployment): string | null {
  const setting = settingOf(chain);
  if (program.kind !== "program")
    return `programId in ${setting}, ${chain.programId}, is not an escrow program: ${WHAT_IS_NO_PROGRAM[program.kind]}.`;
  if (operator.kind !== "operator") {
    const meant =
      operator.operatorOfIt === null
        ? `Set the address of an operator account of the program ${chain.programId}. To create one: npm run admin -- operator create`
        : `Did you mean its operator account ${operator.operatorOfIt}?`;
    return `operator in ${setting}, ${chain.operator}, is not an operator account: ${WHAT_IS_NO_OPERATOR[operator.kind]}. ${meant}`;
  }
  const { upgradeAuthority } = program;
  const offices = { ...operator, upgradeAuthority };
  for (const [office, name] of Object.entries(OFFICES) as [keyof typeof OFFICES, string][])
    for (const [wallet, address] of listWallets(chain))
      if (address === offices[office])
        return `The key of the ${wallet}, ${address}, is the ${name}: whoever breaks into this machine has it. Give the ${wallet} in ${setting} a key of its own, and keep this one off all servers.`;
  if (chain.environment !== "live" || upgradeAuthority === null || !isPlainKey(upgradeAuthority)) return null;
  if (chain.confirmed.upgradeAuthorities.has(upgradeAuthority)) return null;
  return `The upgrade authority of ${chain.programId} is a single key, ${upgradeAuthority}: its holder can replace the program and take every vault. Move it to a multisig or give it up. If this is intended, name it as upgradeAuthority in ${setting}.`;
}

const OFFICES = {
  authority: "authority of the operator account",
  pendingAuthority: "proposed authority of the operator account",
  arbiter: "arbiter",
  pendingArbiter: "proposed arbiter",
  upgradeAuthority: "upgrade authority of the program",
} as const;

const listWallets = ({ sender, sponsor }: Wallets): (readonly [name: "keeper" | "sponsor", address: string])[] => [
  ...(sender === null ? [] : [["keeper", sender.feePayer] as const]),
  ...(sponsor?.addresses ?? []).map((address) => ["sponsor", address] as const),
];

/** Warnings about a deployment that is allowed. */
export function warnOfDeployment(chain: ChainSettings, facts: DeploymentFacts): string[] {
  if (chain.environment !== "live" || !isPlainKey(facts.arbiter)) return [];
  return [
    `The arbiter ${facts.arbiter} is a single key. If it is lost, every disputed payment goes back after 90 days; if it is stolen, the thief decides all disputes. Use the address of a multisig.`,
  ];
}

const NAMES: Readonly<Record<Exclude<keyof DeploymentFacts, "programSlot">, string>> = {
  authority: "authority",
  arbiter: "arbiter",
  pendingAuthority: "proposed authority",
  pendingArbiter: "proposed arbiter",
  upgradeAuthority: "upgrade authority of the program",
  programHash: "hash of the program's file",
};

/** A phrase for each value that differs, also for a program that was deployed again from the same file. */
export function listChanges(before: DeploymentFacts, after: DeploymentFacts): string[] {
  const changed = (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((name) => before[name] !== after[name])
    .map((name) => `the ${NAMES[name]} was ${before[name] ?? "none"} and is ${after[name] ?? "none"}`);
  const isSameFile = before.programSlot !== after.programSlot && before.programHash === after.programHash;
  return isSameFile ? [...changed, `the same program was deployed again at slot ${after.programSlot}`] : changed;
}

const isConfirmed = (found: string, bySetting: ReadonlySet<string>, before: string): boolean =>
  bySetting.size > 0 ? bySetting.has(found) : found === before;

/** The confirmed values from now on: a value that a setting names replaces the one before. */
export const confirm = (facts: DeploymentFacts, settings: ConfirmedBySetting, before: Confirmed): Confirmed => ({
  arbiter: settings.arbiters.has(facts.arbiter) ? facts.arbiter : before.arbiter,
  upgradeAuthority: settings.upgradeAuthorities.has(facts.upgradeAuthority)
    ? facts.upgradeAuthority
    : before.upgradeAuthority,
  programHash: settings.programHashes.has(facts.programHash) ? facts.programHash : before.programHash,
});

/**
 * The reason why no checkout may be built on these facts (§10.12), with the settings that end it; null if checkouts
 * may be built.
 */
export function holdReason(chain: ChainSettings, facts: DeploymentFacts, confirmed: Confirmed): string | null {
  const { arbiters, upgradeAuthorities, programHashes } = chain.confirmed;
  const setting = settingOf(chain);
  const unconfirmed = [
    isConfirmed(facts.arbiter, arbiters, confirmed.arbiter)
      ? null
      : `the arbiter ${facts.arbiter} (arbiter in ${setting})`,
    isConfirmed(facts.upgradeAuthority, upgradeAuthorities, confirmed.upgradeAuthority)
      ? null
      : `the upgrade authority ${facts.upgradeAuthority} (upgradeAuthority in ${setting})`,
    isConfirmed(facts.programHash, programHashes, confirmed.programHash)
      ? null
      : `the program's file ${facts.programHash} (programHash in ${setting})`,
  ].filter((one) => one !== null);
  if (unconfirmed.length === 0) return null;
  return `No new checkouts on ${chain.environment} until a setting names ${unconfirmed.join(" and ")}.`;
}

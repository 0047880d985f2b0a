import type { Deployment } from "../../chain/deployment.ts";
import { OFFICES, type Office } from "../../chain/tool.ts";
import { addressOfKey, isPlainKey } from "../../domain/addresses.ts";
import type { Environment } from "../../domain/terms.ts";
import { ADDRESS, checked, oneOf, TEXT, whole } from "../../domain/values.ts";
import {
  type AdminAnswer,
  AdminError,
  type ChainVerb,
  chainVerb,
  ENVIRONMENT,
  flag,
  maybe,
  option,
  positional,
  replaceable,
  withDefault,
} from "../../edge/admin.ts";
import {
  COMMAND_MS,
  type Command,
  describeSigned,
  type OperatorDeps,
  openCommand,
  type Signing,
  signOrPrint,
} from "./command.ts";
import { resolve, TOTAL } from "./resolve.ts";

/** The options of a command that signs. */
const SIGNING = {
  keyFile: replaceable(option(TEXT, "file"), "print"),
  print: flag,
  environment: ENVIRONMENT,
  unitPrice: withDefault(
    option(whole(0, 999_999_999_999, "whole micro-lamports per compute unit"), "micro-lamports"),
    0,
  ),
};
const SIGNING_TEXT = `--key-file signs the transaction with a Solana key file (a JSON array of 64 bytes), sends it, and waits for confirmation.
--print prints the unsigned transaction in base64, with the required signer as fee payer, for a signing device,
and its instructions, which nothing ends, for the tools of a multisig.
Both simulate the transaction first. If it would fail, the command prints the reason, exits with 1, and sends nothing.`;
const OFFICE = positional(oneOf(OFFICES));
const ADDRESS_OR_NONE = checked(
  {},
  `${ADDRESS.expected}, or none`,
  (text) => text === "none" || ADDRESS.parse(text) !== null,
);

/** The commands for the operator account's keys and for the arbiter (§10.13). */
export const operatorVerbs = (deps: OperatorDeps): readonly ChainVerb[] => [
  chainVerb({
    words: "operator create",
    takes: { arbiter: option(ADDRESS, "address"), authority: maybe(option(ADDRESS, "address")), ...SIGNING },
    does: "Creates the operator account of an authority, with its first arbiter. The authority signs and pays.",
    more: SIGNING_TEXT,
    run: ({ arbiter, authority, ...signing }) => create(deps, arbiter, authority, signing),
  }),
  chainVerb({
    words: "operator show",
    takes: { environment: ENVIRONMENT },
    does: "Shows the authority and the arbiter of the operator account, and the upgrade authority of the program.",
    more: "Exits with 1 if the settings name no operator account.",
    run: ({ environment }) => show(deps, environment),
  }),
  chainVerb({
    words: "operator propose",
    takes: { office: OFFICE, key: positional(ADDRESS_OR_NONE, "address|none"), ...SIGNING },
    does: "Proposes a new authority or arbiter, who has to accept; none withdraws the proposal. The authority signs.",
    more: SIGNING_TEXT,
    run: async ({ office, key, ...signing }) =>
      propose(await openCommand(deps, signing), office, key === "none" ? null : key),
  }),
  chainVerb({
    words: "operator accept",
    takes: { office: OFFICE, ...SIGNING },
    does: "Accepts the proposal as authority or arbiter. The proposed key signs.",
    more: SIGNING_TEXT,
    run: async ({ office, ...signing }) => accept(await openCommand(deps, signing), office),
  }),
  chainVerb({
    words: "resolve",
    takes: { payment: positional(ADDRESS, "payment"), total: positional(TOTAL, "total|all|none"), ...SIGNING },
    does: "Decides a disputed payment. The total is the sender's share in the end, in the token's smallest unit. Its arbiter signs.",
    more: `The total includes earlier refunds by the recipient. The decision is a transaction of its own, so that nothing can block
it. With --key-file, the payouts follow, each in its own transaction. A payout that fails stays due; the keeper or
anyone else can send it later.\n\n${SIGNING_TEXT}`,
    run: async ({ payment, total, ...signing }) => resolve(await openCommand(deps, signing), payment, total),
  }),
];

async function create(
  deps: OperatorDeps,
  arbiter: string,
  named: string | null,
  signing: Signing,
): Promise<AdminAnswer> {
  if (named === null && signing.keyFile === null) throw new AdminError("Specify --authority <address> with --print.");
  const authority = named ?? addressOfKey(await deps.readKeyFile(signing.keyFile!, "The key file"));
  const command = await openCommand(deps, signing, authority);
  const { tool, environment } = command;
  const { operator } = tool;
  const signed = await signOrPrint(command, { kind: "create_operator", signer: authority, arbiter });
  const setting = `operator in ${environment.toUpperCase()}_CHAIN to ${operator}`;
  return {
    result: { object: "operator", environment, operator, authority, arbiter, ...signed },
    text: `${describeSigned(signed, authority)}\nThe operator account is ${operator}. Set ${setting}.`,
  };
}

type OperatorOfChain = Extract<Deployment["operator"], { kind: "operator" }>;

async function fetchOperator({ tool, signal }: Command): Promise<OperatorOfChain> {
  const { operator } = (await tool.reader.fetchDeployment({ signal })).value;
  if (operator.kind === "operator") return operator;
  const meant = operator.operatorOfIt === null ? "" : ` Did you mean its operator account ${operator.operatorOfIt}?`;
  throw new AdminError(`${tool.operator} is not an operator account of the program ${tool.programId}.${meant}`);
}

async function propose(command: Command, office: Office, key: string | null): Promise<AdminAnswer> {
  const { authority, ...before } = await fetchOperator(command);
  const signed = await signOrPrint(command, { kind: "propose", signer: authority, office, key });
  const { operator } = command.tool;
  const next =
    key === null
      ? `The proposal of ${before[PENDING[office]] ?? "no one"} as ${office} is withdrawn.`
      : `To accept as ${office}, ${key} signs: operator accept ${office}`;
  return {
    result: { object: "proposal", environment: command.environment, operator, office, key, ...signed },
    text: "signature" in signed ? `${describeSigned(signed, authority)}\n${next}` : describeSigned(signed, authority),
  };
}

const PENDING = { authority: "pendingAuthority", arbiter: "pendingArbiter" } as const satisfies Record<Office, string>;

async function accept(command: Command, office: Office): Promise<AdminAnswer> {
  const operator = await fetchOperator(command);
  const proposed = operator[PENDING[office]];
  if (proposed === null)
    throw new AdminError(
      `No ${office} is proposed for ${command.tool.operator}. Its ${office} is ${operator[office]}.`,
    );
  const signed = await signOrPrint(command, { kind: "accept", signer: proposed, office });
  const { environment } = command;
  const setting = `arbiter ${proposed} in ${environment.toUpperCase()}_CHAIN`;
  const next =
    office === "arbiter"
      ? `It decides disputes of payments made from now on. Checkouts are held until the service is restarted with ${setting}.`
      : "It can propose successors from now on. All proposals are cleared.";
  return {
    result: { object: "office", environment, operator: command.tool.operator, office, key: proposed, ...signed },
    text: "signature" in signed ? `${describeSigned(signed, proposed)}\n${next}` : describeSigned(signed, proposed),
  };
}

async function show({ openTool }: OperatorDeps, environment: Environment): Promise<AdminAnswer> {
  const tool = await openTool({ environment, ofAuthority: null, unitPrice: 0n });
  const signal = AbortSignal.timeout(COMMAND_MS);
  const operator = await fetchOperator({ tool, environment, key: null, signal });
  const { program } = (await tool.reader.fetchDeployment({ signal })).value;
  if (program.kind !== "program") throw new AdminError(`${tool.programId} is not a program.`);
  const programHash = (await tool.reader.fetchProgramHash({ signal })).value;
  const { kind: _, ...offices } = operator;
  const { upgradeAuthority } = program;
  const kindOf = (address: string) =>
    isPlainKey(address) ? "a single key" : "an address of a program, such as a multisig";
  const holder = (name: string, address: string | null) =>
    `${name.padEnd(18)} ${address === null ? "none" : `${address}  (${kindOf(address)})`}`;
  return {
    result: {
      object: "operator",
      environment,
      operator: tool.operator,
      ...offices,
      programId: tool.programId,
      upgradeAuthority,
      programHash,
    },
    text: [
      `operator           ${tool.operator}`,
      holder("authority", offices.authority),
      holder("arbiter", offices.arbiter),
      holder("proposed authority", offices.pendingAuthority),
      holder("proposed arbiter", offices.pendingArbiter),
      `program            ${tool.programId}`,
      holder("upgrade authority", upgradeAuthority),
      `program hash       ${programHash}`,
    ].join("\n"),
  };
}

import type { Deployment } from "../../chain/deployment.ts";
import { OFFICES, type Office } from "../../chain/tool.ts";
import { addressOfKey, isAddress, isPlainKey } from "../../domain/addresses.ts";
import { type AdminAnswer, AdminError, type ChainCall, type ChainVerb, FLAG, TEXT } from "../../edge/admin.ts";
import {
  COMMAND_MS,
  type Command,
  describeSigned,
  type OperatorDeps,
  openCommand,
  readEnvironment,
  signOrPrint,
} from "./command.ts";
import { resolve } from "./resolve.ts";

const SIGNING = { environment: TEXT, "key-file": TEXT, print: FLAG, "unit-price": TEXT };
const SIGNING_USAGE = "(--key-file <file> | --print) [--environment test|live] [--unit-price <micro-lamports>]";
const SIGNING_TEXT = `--key-file signs the transaction with a Solana key file (a JSON array of 64 bytes), sends it, and waits for confirmation.
--print prints the unsigned transaction in base64, with the required signer as fee payer, for a signing device,
and its instructions, which nothing ends, for the tools of a multisig.
Both simulate the transaction first. If it would fail, the command prints the reason, exits with 1, and sends nothing.`;

/** The commands for the operator account's keys and for the arbiter (§10.13). */
export function operatorVerbs(deps: OperatorDeps): readonly ChainVerb[] {
  const verb = (
    word: string,
    takes: string,
    does: string,
    run: (call: ChainCall) => Promise<AdminAnswer>,
    options: ChainVerb["options"] = SIGNING,
    more = SIGNING_TEXT,
  ): ChainVerb => ({
    usage: `operator ${word} ${takes}`.trim(),
    does,
    more,
    options,
    run,
    withoutDatabase: true,
  });
  return [
    verb(
      "create",
      `--arbiter <address> [--authority <address>] ${SIGNING_USAGE}`,
      "Creates the operator account of an authority, with its first arbiter. The authority signs and pays.",
      (call) => create(deps, call),
      { ...SIGNING, arbiter: TEXT, authority: TEXT },
    ),
    verb(
      "show",
      "[--environment test|live]",
      "Shows the authority and the arbiter of the operator account, and the upgrade authority of the program.",
      (call) => show(deps, call),
      { environment: TEXT },
      "Exits with 1 if the settings name no operator account.",
    ),
    verb(
      "propose",
      `authority|arbiter <address|none> ${SIGNING_USAGE}`,
      "Proposes a new authority or arbiter, who has to accept; none withdraws the proposal. The authority signs.",
      (call) => propose(deps, call),
    ),
    verb(
      "accept",
      `authority|arbiter ${SIGNING_USAGE}`,
      "Accepts the proposal as authority or arbiter. The proposed key signs.",
      (call) => accept(deps, call),
    ),
    {
      usage: `resolve <payment> <total|all|none> ${SIGNING_USAGE}`,
      does: "Decides a disputed payment. The total is the sender's share in the end, in the token's smallest unit. Its arbiter signs.",
      more: `The total includes earlier refunds by the recipient. The decision is a transaction of its own, so that nothing can block
it. With --key-file, the payouts follow, each in its own transaction. A payout that fails stays due; the keeper or
anyone else can send it later.\n\n${SIGNING_TEXT}`,
      options: SIGNING,
      withoutDatabase: true,
      run: async (call) => {
        const [payment, total] = call.positionals;
        if (payment === undefined || total === undefined)
          throw new AdminError("Specify the payment and the total for its sender: resolve <payment> <total|all|none>.");
        return resolve(await openCommand(deps, call), payment, total);
      },
    },
  ];
}

async function create(deps: OperatorDeps, call: ChainCall): Promise<AdminAnswer> {
  const { options } = call;
  const arbiter = readAddress("--arbiter", options.arbiter);
  const file = options["key-file"];
  const authority =
    options.authority === undefined && typeof file === "string"
      ? addressOfKey(await deps.readKeyFile(file, "The key file"))
      : readAddress("--authority", options.authority);
  const command = await openCommand(deps, call, authority);
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

async function propose(deps: OperatorDeps, call: ChainCall): Promise<AdminAnswer> {
  const office = readOffice(call);
  const key = call.positionals[1] === "none" ? null : readAddress(`The proposed ${office}`, call.positionals[1]);
  const command = await openCommand(deps, call);
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

async function accept(deps: OperatorDeps, call: ChainCall): Promise<AdminAnswer> {
  const office = readOffice(call);
  const command = await openCommand(deps, call);
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

async function show({ openTool }: OperatorDeps, { options }: ChainCall): Promise<AdminAnswer> {
  const environment = readEnvironment(options);
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

function readAddress(name: string, given: string | boolean | undefined): string {
  if (typeof given === "string" && isAddress(given)) return given;
  throw new AdminError(
    given === undefined
      ? `${name} is missing: give a Solana address.`
      : `${name} must be a Solana address, not "${given}".`,
  );
}

function readOffice({ positionals: [word] }: ChainCall): Office {
  const office = OFFICES.find((one) => one === word);
  if (office === undefined) throw new AdminError("Specify authority or arbiter.");
  return office;
}

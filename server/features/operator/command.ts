import type { ChainTool, DraftedAction, OpenChainTool, ToolAction } from "../../chain/tool.ts";
import { addressOfKey } from "../../domain/addresses.ts";
import { ENVIRONMENTS, type Environment } from "../../domain/terms.ts";
import { AdminError, type ChainCall, parseChoice } from "../../edge/admin.ts";

export interface OperatorDeps {
  readonly openTool: OpenChainTool;
  readonly readKeyFile: (path: string, name: string) => Promise<Uint8Array>;
}

/** The time for all of a command's chain requests, including the wait for its transaction. */
export const COMMAND_MS = 120_000;

/** A command's chain and key. */
export interface Command {
  readonly tool: ChainTool;
  readonly environment: Environment;
  /** The key of `--key-file`; null with `--print`. */
  readonly key: Uint8Array | null;
  readonly signal: AbortSignal;
}

/** Opens the chain. The caller must pass exactly one of `--key-file` and `--print`. */
export async function openCommand(
  { openTool, readKeyFile }: OperatorDeps,
  { options }: ChainCall,
  ofAuthority: string | null = null,
): Promise<Command> {
  const file = options["key-file"];
  if ((file === undefined) === (options.print !== true))
    throw new AdminError("Specify either --key-file <file> or --print.");
  const unitPrice = options["unit-price"] ?? "0";
  if (!/^\d{1,12}$/.test(String(unitPrice)))
    throw new AdminError("--unit-price takes whole micro-lamports per compute unit.");
  const environment = readEnvironment(options);
  const key = file === undefined ? null : await readKeyFile(String(file), "The key file");
  const tool = await openTool({
    environment,
    ofAuthority,
    unitPrice: BigInt(String(unitPrice)),
  });
  return { tool, environment, key, signal: AbortSignal.timeout(COMMAND_MS) };
}

export const readEnvironment = (options: ChainCall["options"]): Environment =>
  parseChoice("environment", options.environment ?? "test", ENVIRONMENTS);

/** Signs and sends with the key, or drafts it for the holder of the key. */
export async function signOrPrint(
  command: Command,
  action: ToolAction,
): Promise<{ signature: string } | DraftedAction> {
  const { tool, key, signal } = command;
  if (key === null) return tool.draft(action, signal);
  const holder = addressOfKey(key);
  if (holder !== action.signer)
    throw new AdminError(`${action.signer} has to sign, but the key file belongs to ${holder}.`);
  return { signature: await tool.send(action, key, signal) };
}

export const describeSigned = (signed: { signature: string } | DraftedAction, signer: string): string =>
  "signature" in signed
    ? `Confirmed: ${signed.signature}`
    : `Not sent. ${signer} has to sign this transaction:\n${signed.transaction}\nA multisignature takes its instructions, and its members may take their time:\n${JSON.stringify(signed.instructions)}`;

import type { ChainTool, DraftedAction, OpenChainTool, ToolAction } from "../../chain/tool.ts";
import { addressOfKey } from "../../domain/addresses.ts";
import type { Environment } from "../../domain/terms.ts";
import { AdminError } from "../../edge/admin.ts";

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

export interface Signing {
  /** The file of the key that signs; null with `--print`. */
  readonly keyFile: string | null;
  readonly environment: Environment;
  /** In micro-lamports per compute unit. */
  readonly unitPrice: number;
}

/** Opens the chain. */
export async function openCommand(
  { openTool, readKeyFile }: OperatorDeps,
  { keyFile, environment, unitPrice }: Signing,
  ofAuthority: string | null = null,
): Promise<Command> {
  const key = keyFile === null ? null : await readKeyFile(keyFile, "The key file");
  const tool = await openTool({ environment, ofAuthority, unitPrice: BigInt(unitPrice) });
  return { tool, environment, key, signal: AbortSignal.timeout(COMMAND_MS) };
}

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

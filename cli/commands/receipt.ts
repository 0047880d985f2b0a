import type { Command } from "commander";
import { command } from "../command.ts";
import { CommandError, EXIT } from "../exit.ts";
import { type Common, outputOf } from "../output.ts";

interface Options extends Common {
  readonly rpc: string[];
  readonly keys?: string;
  readonly evidence?: string;
  readonly answer?: string;
}

const CODES = { consistent: EXIT.done, confirmed: EXIT.done, differs: EXIT.refused, not_asked: EXIT.unreachable };

export function addReceipt(program: Command): void {
  const receipt = program.command("receipt").description("Receipts: verify").helpCommand(false);
  command(
    receipt,
    "verify <file>",
    "Verify a JSON receipt: its signature, its hashes, and the account's bytes. Only nodes can show that the payment is on chain.",
    "holdfast receipt verify receipt.json --rpc https://node.example.com",
  )
    .option("--rpc <url...>", "the addresses of nodes to ask", [])
    .option("--keys <file>", "the deployment's keys, a file or an address; the receipt's issuer is asked if left out")
    .option("--evidence <file>", "the signed offer or delivery of x402: the JWS, or JSON with it as delivery or offer")
    .option("--answer <file>", "the answer that was delivered, as its bytes came")
    .action(async (file: string, { json, ...options }: Options) => {
      // The program's client is large, and no other command needs it.
      const { describeVerdict, plain, showVerdict, UnreachedError, UsageError, verifyFile } = await import(
        "@holdfast/receipt"
      );
      try {
        const verdict = await verifyFile(file, options);
        // One line of JSON in which nothing can move a terminal's cursor.
        if (json) process.stdout.write(`${showVerdict(verdict)}\n`);
        else outputOf().print(verdict, describeVerdict);
        const code = CODES[verdict.verdict];
        if (code !== EXIT.done) throw new CommandError("", code);
      } catch (error) {
        if (error instanceof UsageError) throw new CommandError(plain(error.message), EXIT.usage);
        if (error instanceof UnreachedError)
          throw new CommandError(`Nobody could be asked. ${plain(error.message)}`, EXIT.unreachable);
        throw error;
      }
    });
}

import { parseArgs } from "node:util";
import { describeVerdict, plain, showVerdict } from "./text.ts";
import type { Verdict } from "./verify.ts";
import { UnreachedError, UsageError, verifyFile } from "./verifyFile.ts";

const USAGE = `npm run receipt -- verify FILE [--rpc URL]… [--keys FILE|URL] [--evidence FILE [--answer FILE]] [--json]

Verifies a receipt: its signature, its hashes, the payment's address, and the account's bytes against the figures. With
--rpc it asks nodes of the chain as well; only they can show that the payment is there.
  --rpc   the address of a node; may be given several times
  --keys  the keys of the deployment: a file or an address. Default: the receipt's issuer is asked.
  --evidence  the signed offer or delivery of x402: the JWS, or JSON with it as delivery or offer
  --answer    the answer that was delivered, as its bytes came
It ends with 0 if the receipt is consistent or confirmed, 1 if something differs, 2 for a wrong command, and 3 if the keys
or every node could not be reached.`;

const EXIT: Readonly<Record<Verdict["verdict"], number>> = { consistent: 0, confirmed: 0, differs: 1, not_asked: 3 };
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rpc: { type: "string", multiple: true, default: [] },
      keys: { type: "string" },
      evidence: { type: "string" },
      answer: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const [verb, file, ...rest] = positionals;
  if (verb !== "verify" || file === undefined || rest.length > 0) throw new UsageError("Name one file.");
  return { ...values, file };
}

async function run(): Promise<number> {
  const { file, json, ...options } = readArguments();
  const verdict = await verifyFile(file, options);
  process.stdout.write(`${json ? showVerdict(verdict) : describeVerdict(verdict)}\n`);
  return EXIT[verdict.verdict];
}

try {
  process.exitCode = await run();
} catch (error) {
  const message = plain(error instanceof Error ? error.message : String(error));
  const isUnreached = error instanceof UnreachedError;
  process.stderr.write(isUnreached ? `Nobody could be asked. ${message}\n` : `${message}\n\n${USAGE}\n`);
  process.exitCode = isUnreached ? 3 : 2;
}

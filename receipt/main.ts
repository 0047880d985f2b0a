import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { fetchJson, openNode } from "./nodes.ts";
import { FORM, isObject, repeatedMember } from "./receipt.ts";
import { type DeploymentKeys, parseDeploymentKeys } from "./signature.ts";
import { type Verdict, verifyReceipt } from "./verify.ts";
import { describeVerdict, plain, showVerdict } from "./words.ts";

const USAGE = `npm run receipt -- verify FILE [--rpc URL]… [--keys FILE|URL] [--json]

Verifies a receipt: its signature, its hashes, the payment's address, and the account's bytes against the figures. With
--rpc it asks nodes of the chain as well; only they can show that the payment is there.
  --rpc   the address of a node; may be given several times
  --keys  the keys of the deployment: a file or an address. Default: the receipt's issuer is asked.
It ends with 0 if the receipt is consistent or confirmed, 1 if something differs, 2 for a wrong command, and 3 if the keys
or every node could not be reached.`;

const EXIT: Readonly<Record<Verdict["verdict"], number>> = { consistent: 0, confirmed: 0, differs: 1, not_asked: 3 };
const FILE_BYTES_MAX = 1_000_000;

class UsageError extends Error {
  override readonly name = "UsageError";
}
/** Keys or receipt could not be reached. */
class UnreachedError extends Error {
  override readonly name = "UnreachedError";
}

function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rpc: { type: "string", multiple: true, default: [] },
      keys: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
  const [verb, file, ...rest] = positionals;
  if (verb !== "verify" || file === undefined || rest.length > 0) throw new UsageError("Name one file.");
  for (const url of values.rpc) if (!isWeb(url)) throw new UsageError(`${url} is no address of a node.`);
  // The same node twice is no second opinion.
  return { ...values, file, rpc: [...new Set(values.rpc.map((url) => new URL(url).href))] };
}

const isWeb = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

async function readJson(path: string): Promise<{ readonly value: unknown; readonly text: string }> {
  const text = await readFile(path, "utf8");
  if (text.length > FILE_BYTES_MAX) throw new UsageError(`${path} is too large.`);
  try {
    return { value: JSON.parse(text), text };
  } catch {
    throw new UsageError(`${path} is not JSON.`);
  }
}

/** The keys that a file, an address or the receipt's issuer has. */
async function findKeys(given: string | undefined, receipt: unknown): Promise<DeploymentKeys> {
  const source = given ?? `${issuerOf(receipt)}/.well-known/holdfast.json`;
  const value = isWeb(source)
    ? await fetchJson(source).catch((error: unknown) => {
        throw new UnreachedError(`The keys at ${source} could not be read: ${String(error)}`);
      })
    : (await readJson(source)).value;
  const keys = parseDeploymentKeys(value);
  if (keys === null) throw new UnreachedError(`${source} holds no keys of a deployment.`);
  return keys;
}

/** Letters that look like others, blanks and names before an `@` would make an answer name another issuer than was asked. */
const ISSUER = /^https?:\/\/[A-Za-z0-9.:[\]-]+(?:\/[A-Za-z0-9._~%/-]*)?$/;

/** Without --keys the receipt's own word says who signed it, over a connection that shows that name to be true. */
function issuerOf(receipt: unknown): string {
  const { issuer } = isObject(receipt) ? receipt : {};
  const url = typeof issuer === "string" && ISSUER.test(issuer) ? URL.parse(issuer) : null;
  const isLoopback = url !== null && ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url === null || (url.protocol !== "https:" && !(isLoopback && url.protocol === "http:")))
    throw new UnreachedError("The receipt names no issuer that can be asked. Name its keys: --keys FILE|URL.");
  return String(issuer);
}

async function run(): Promise<number> {
  const { file, rpc, keys, json } = readArguments();
  const { value: receipt, text } = await readJson(file);
  const repeated = repeatedMember(text);
  const verdict: Verdict =
    repeated === null
      ? await verifyReceipt(receipt, await findKeys(keys, receipt), rpc.map(openNode))
      : { verdict: "differs", differences: [{ field: repeated, receipt: "twice", found: "once", where: FORM }] };
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

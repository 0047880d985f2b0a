import { readFile } from "node:fs/promises";
import { readEvidence } from "./evidence.ts";
import { isLoopback } from "./loopback.ts";
import { fetchJson, openNode } from "./nodes.ts";
import { FORM, isObject, repeatedMember } from "./receipt.ts";
import { type DeploymentKeys, parseDeploymentKeys } from "./signature.ts";
import { type Verdict, verifyReceipt } from "./verify.ts";

const FILE_BYTES_MAX = 1_000_000;
const ANSWER_BYTES_MAX = 100_000_000;

/** The command is wrong: no such file, no JSON, no address. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
/** Keys or receipt could not be reached. */
export class UnreachedError extends Error {
  override readonly name = "UnreachedError";
}

export interface VerifyFileOptions {
  /** Addresses of nodes; none is asked without one. */
  readonly rpc: readonly string[];
  /** The keys of the deployment: a file or an address. The receipt's issuer is asked if left out. */
  readonly keys?: string | undefined;
  /** The file of a signed offer or delivery of x402: the JWS, or JSON with it as its member `delivery` or `offer`. */
  readonly evidence?: string | undefined;
  /** The file with the bytes of the answer. */
  readonly answer?: string | undefined;
}

/** Verifies the receipt in a file. Throws {@link UsageError} and {@link UnreachedError}. */
export async function verifyFile(path: string, { rpc, keys, ...files }: VerifyFileOptions): Promise<Verdict> {
  for (const url of rpc) if (!isWeb(url)) throw new UsageError(`${url} is no address of a node.`);
  // The same node twice is no second opinion.
  const nodes = [...new Set(rpc.map((url) => new URL(url).href))];
  const { value: receipt, text } = await readJson(path);
  const evidence = await findEvidence(files);
  const repeated = repeatedMember(text);
  return repeated === null
    ? verifyReceipt(receipt, await findKeys(keys, receipt), nodes.map(openNode), evidence)
    : { verdict: "differs", differences: [{ field: repeated, receipt: "twice", found: "once", where: FORM }] };
}

const isWeb = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text);

async function findEvidence({ evidence, answer }: Pick<VerifyFileOptions, "evidence" | "answer">) {
  if (evidence === undefined && answer !== undefined) throw new UsageError("An answer is compared with --evidence.");
  if (evidence === undefined) return null;
  const jws = readEvidence(String(await readBytes(evidence)));
  if (jws === null) throw new UsageError(`${evidence} has no delivery or offer.`);
  return { jws, answer: answer === undefined ? null : new Uint8Array(await readBytes(answer, ANSWER_BYTES_MAX)) };
}

async function readBytes(path: string, bytesMax = FILE_BYTES_MAX): Promise<Buffer> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw new UsageError(`${path} cannot be read: ${error.message}`);
  });
  if (bytes.length > bytesMax) throw new UsageError(`${path} is too large.`);
  return bytes;
}

async function readJson(path: string): Promise<{ readonly value: unknown; readonly text: string }> {
  const text = String(await readBytes(path));
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
  if (url === null || (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))))
    throw new UnreachedError("The receipt names no issuer that can be asked. Name its keys: --keys FILE|URL.");
  return String(issuer);
}

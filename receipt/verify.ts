import type { TombstoneAccount } from "@holdfast/escrow-client";
import {
  contradictions,
  decodeAccount,
  type EndFigures,
  endOf,
  figuresOf,
  findDerived,
  type PaymentFigures,
  PROGRESS,
} from "./account.ts";
import { type CheckedDecision, checkDecision, compareRuling, describeDecision } from "./decision.ts";
import { type CheckedEvidence, checkEvidence, type Evidence } from "./evidence.ts";
import type { Node, NodeAnswer } from "./nodes.ts";
import { compare, type Difference, FORM, isObject, malformedFields, type Receipt, show } from "./receipt.ts";
import { type DeploymentKeys, isSignedBy, type ParsedJws, parseJws } from "./signature.ts";
import { checkTerms } from "./terms.ts";

/** The end of a closed record. */
type Closed = Pick<EndFigures, "status" | "outcome"> | null;

/** The result of verifying a receipt: exactly one of these. */
export type Verdict =
  /** Signature, hashes, address and bytes agree. This shows nothing about the chain. */
  | {
      readonly verdict: "consistent";
      readonly issuer: string;
      readonly closed: Closed;
      readonly decision: CheckedDecision | null;
      /** Left out if none was given. */
      readonly evidence?: CheckedEvidence;
    }
  /** Nodes show the payment too. `slot` is the oldest of their slots; `since`: what is another today without contradiction. */
  | {
      readonly verdict: "confirmed";
      readonly issuer: string;
      readonly closed: Closed;
      readonly decision: CheckedDecision | null;
      /** Left out if none was given. */
      readonly evidence?: CheckedEvidence;
      readonly nodes: number;
      readonly slot: number;
      readonly since: readonly Difference[];
      /** Nodes that did not answer, each with the reason. */
      readonly silent: readonly string[];
    }
  | { readonly verdict: "differs"; readonly differences: readonly Difference[] }
  /** No node answered. */
  | { readonly verdict: "not_asked"; readonly reasons: readonly string[] };

/** The processes of a deployment learn of a new key within this time, by clocks that may differ. */
const RETIRED_SLACK_MS = 60_000;
const NODES_MAX = 20;

/** Verifies a receipt against the keys of its deployment, and with these nodes and this evidence, if any. */
export async function verifyReceipt(
  value: unknown,
  keys: DeploymentKeys,
  nodes: readonly Node[] = [],
  evidence: Evidence | null = null,
): Promise<Verdict> {
  if (nodes.length > NODES_MAX) throw new RangeError(`More than ${NODES_MAX} nodes.`);
  if (!isObject(value)) return differs([{ field: "receipt", receipt: show(value), found: "an object", where: FORM }]);
  const { signature, ...members } = value;
  const jws = parseJws(signature);
  const differences = jws === null ? [unsigned(signature)] : await checkSignature(members, jws, keys);
  const malformed = malformedFields(members);
  differences.push(
    ...malformed.map((field) => ({
      field,
      receipt: show(valueAt(members, field)),
      found: "another form",
      where: FORM,
    })),
  );
  if (malformed.length > 0) return differs(distinct(differences));
  const receipt = members as unknown as Receipt;
  differences.push(...checkDeployment(receipt, keys), ...(await checkContent(receipt)));
  const compared = evidence === null ? null : await checkEvidence(receipt, evidence);
  differences.push(...(compared?.differences ?? []));
  if (differences.length > 0) return differs(distinct(differences));
  const { issuer, payment } = receipt;
  const closed = receipt.tombstone === null ? null : { status: payment.status, outcome: payment.outcome };
  const decision = describeDecision(receipt, 0);
  const verdict: Verdict =
    nodes.length === 0 ? { verdict: "consistent", issuer, closed, decision } : await askNodes(receipt, closed, nodes);
  const isGood = verdict.verdict === "consistent" || verdict.verdict === "confirmed";
  return isGood && compared !== null ? { ...verdict, evidence: compared.checked! } : verdict;
}

const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((one, name) => (Object(one) as Record<string, unknown>)[name], value);

const differs = (differences: readonly Difference[]): Verdict => ({ verdict: "differs", differences });
const unsigned = (signature: unknown): Difference => ({
  field: "signature",
  receipt: show(signature),
  found: "a JWS by EdDSA",
  where: FORM,
});

/** Names each field once for each place that has another value. */
const distinct = (all: readonly Difference[]): Difference[] => [
  ...new Map(all.map((one) => [`${one.field} ${one.where}`, one])).values(),
];

async function checkSignature(members: unknown, jws: ParsedJws, keys: DeploymentKeys): Promise<Difference[]> {
  const differences = compare(members, jws.signed, "the signed text");
  const key = keys.keys.find(({ kid }) => kid === jws.kid);
  if (key === undefined) {
    const known = keys.keys.map(({ kid }) => kid).join(", ");
    return [
      ...differences,
      { field: "signature", receipt: show(jws.kid), found: known, where: "the deployment's keys" },
    ];
  }
  if (!(await isSignedBy(key, jws)))
    return [
      ...differences,
      { field: "signature", receipt: "another signature", found: `one by ${key.kid}`, where: "the deployment's keys" },
    ];
  const { issuedAt } = jws.signed;
  const isLater =
    key.retiredAt !== null && !(Date.parse(String(issuedAt)) <= Date.parse(key.retiredAt) + RETIRED_SLACK_MS);
  if (isLater)
    differences.push({
      field: "issuedAt",
      receipt: show(issuedAt),
      found: `retired at ${key.retiredAt}`,
      where: "its key",
    });
  return differences;
}

/** The deployment signs for its own address, chains and operators alone. */
function checkDeployment({ issuer, environment, chain }: Receipt, keys: DeploymentKeys): Difference[] {
  const where = "the deployment's keys";
  const own = Object.hasOwn(keys.environments, environment) ? keys.environments[environment]! : null;
  // The file of a program may be replaced; its address and the operator stay.
  const { programHash: _, ...named } = chain;
  return [
    ...compare(issuer, keys.issuer, where, "issuer"),
    ...(own === null
      ? [{ field: "environment", receipt: show(environment), found: "nothing", where }]
      : compare(
          named,
          { genesisHash: own.genesisHash, programId: own.programId, operator: own.operator },
          where,
          "chain",
        )),
  ];
}

/** Compares what the receipt says several times: figures, bytes, address and hashes. */
async function checkContent(receipt: Receipt): Promise<Difference[]> {
  const { payment, account, tombstone } = receipt;
  const { address, ...figures } = payment;
  const differences: Difference[] = [];
  if (account !== null) {
    const decoded = decodeAccount(account.data);
    if (decoded?.kind !== "payment") differences.push(noAccount("account.data", account.data, "a payment's account"));
    else {
      const where = "the account's bytes";
      differences.push(
        ...compare(figures, figuresOf(decoded), where, "payment"),
        ...compare(receipt.chain.operator, decoded.operator, where, "chain.operator"),
        ...(await checkAddress(receipt, figuresOf(decoded), decoded.bump)),
      );
    }
  }
  if (tombstone !== null) {
    const decoded = decodeAccount(tombstone.data);
    if (decoded?.kind !== "tombstone") differences.push(noAccount("tombstone.data", tombstone.data, "a tombstone"));
    else {
      const end = endOfTombstone(decoded);
      const shown = Object.fromEntries(Object.keys(end).map((name) => [name, figures[name as keyof typeof figures]]));
      differences.push(...compare(shown, end, "the tombstone", "payment"));
    }
  }
  if (account === null && tombstone === null) differences.push(noAccount("account", "null", "bytes"));
  if ((account?.slot === null) !== (tombstone !== null && account !== null))
    differences.push({
      field: "account.slot",
      receipt: show(account?.slot),
      found: "a slot, or a tombstone",
      where: FORM,
    });
  return [...differences, ...(await checkTerms(receipt)), ...(await checkDecision(receipt))];
}

const noAccount = (field: string, receipt: string, found: string): Difference => ({
  field,
  receipt,
  found,
  where: "the program's accounts",
});

async function checkAddress({ chain, payment }: Receipt, figures: PaymentFigures, bump: number): Promise<Difference[]> {
  const derived = await findDerived(chain, figures);
  const where = "program, operator, sender and payment id";
  return [
    ...compare(payment.address, derived?.[0] ?? null, where, "payment.address"),
    ...(derived?.[1] === bump
      ? []
      : [{ field: "account.data", receipt: `bump ${bump}`, found: `bump ${derived?.[1]}`, where }]),
  ];
}

/** Asks each node for the account, the program and the transaction that made the payment. */
async function askNodes(receipt: Receipt, closed: Closed, nodes: readonly Node[]): Promise<Verdict> {
  const asked = await Promise.all(
    nodes.map((node, index) =>
      askNode(receipt, node, `node ${index + 1}`).catch((error: unknown) => ({
        silent: `node ${index + 1}: ${error instanceof Error ? error.message : String(error)}`,
      })),
    ),
  );
  const silent = asked.flatMap((one) => ("silent" in one ? [one.silent] : []));
  const answered = asked.filter((one) => "slot" in one);
  if (answered.length === 0) return { verdict: "not_asked", reasons: silent };
  const differences = answered.flatMap((one) => one.differences);
  if (differences.length > 0) return differs(differences);
  const slot = Math.min(...answered.map((one) => one.slot));
  const since = answered.flatMap((one) => one.since);
  const decision = describeDecision(receipt, answered.filter(({ hasRuling }) => hasRuling).length);
  const { issuer } = receipt;
  return { verdict: "confirmed", issuer, closed, decision, nodes: answered.length, slot, since, silent };
}

async function askNode(receipt: Receipt, node: Node, name: string) {
  const { chain, payment, tombstone, account } = receipt;
  const answer = await node.fetchAccount(payment.address, tombstone?.slot ?? account?.slot ?? 0);
  const since: Difference[] = [];
  const differences = compareNode(receipt, answer, name, since);
  const transactions = await checkTransactions(receipt, node, name);
  differences.push(...transactions.differences);
  // A program may be replaced: that is no fault of a receipt, and worth knowing.
  since.push(...compare(chain.programHash, await node.fetchProgramHash(chain.programId), name, "chain.programHash"));
  return { slot: answer.slot, differences, since, hasRuling: transactions.hasRuling };
}

/** The fields in which a node contradicts the receipt. Changes that a payment may take later go to `since`. */
function compareNode(receipt: Receipt, answer: NodeAnswer, where: string, since: Difference[]): Difference[] {
  const { chain, payment, tombstone } = receipt;
  const { address: _, ...figures } = payment;
  const differences = compare(chain.genesisHash, answer.genesisHash, where, "chain.genesisHash");
  const { account } = answer;
  if (account === null) return [...differences, { field: "account", receipt: "an account", found: "nothing", where }];
  differences.push(...compare(chain.programId, account.owner, where, "chain.programId"));
  const decoded = decodeAccount(account.data);
  if (decoded === null || decoded.kind === "operator")
    return [...differences, { field: "account", receipt: "a payment", found: "other bytes", where }];
  if (tombstone !== null) return [...differences, ...compare(tombstone.data, account.data, where, "tombstone.data")];
  const later = decoded.kind === "payment" ? figuresOf(decoded) : endOfTombstone(decoded);
  const progress = { ...figures, ...later };
  const broken = new Set<string>(contradictions(figures, progress));
  const isProgress = (name: string) => (PROGRESS as readonly string[]).includes(name);
  for (const one of compare(figures, progress, where)) {
    const named = { ...one, field: `payment.${one.field}` };
    if (isProgress(one.field) && !broken.has(one.field)) since.push(named);
    else differences.push(named);
  }
  if (decoded.kind === "tombstone") since.push({ field: "account", receipt: "a record", found: "closed", where });
  else differences.push(...compare(chain.operator, decoded.operator, where, "chain.operator"));
  return differences;
}

/** Both sides together got the amount. */
const endOfTombstone = (tombstone: TombstoneAccount) => ({
  ...endOf(tombstone),
  amount: String(tombstone.amountReleased + tombstone.amountRefunded),
  refundTotal: String(tombstone.amountRefunded),
});

/** `hasRuling`: the node has the transaction of the ruling, and the decision is compared with it. */
async function checkTransactions(receipt: Receipt, node: Node, where: string) {
  const { payment, transactions } = receipt;
  const differences: Difference[] = [];
  let hasRuling = false;
  for (const [index, { kind, signature }] of transactions.entries()) {
    const found = await node.fetchTransaction(signature);
    // Few nodes keep old transactions, so an unknown one says nothing.
    if (found === null) continue;
    if (!found.failed && found.accounts.includes(payment.address)) {
      if (kind === "decided") {
        differences.push(...compareRuling(receipt, found.instructions, where));
        hasRuling = true;
      }
      continue;
    }
    const other = found.failed ? "a transaction that failed" : "a transaction without this payment";
    differences.push({ field: `transactions.${index}.signature`, receipt: show(signature), found: other, where });
  }
  return { differences, hasRuling };
}

import type { PaymentFigures } from "./account.ts";

/** Figures of a payment whose terms went with its record, before this service read them, are null. */
type KnownFigures = Pick<
  PaymentFigures,
  | "paymentId"
  | "amount"
  | "status"
  | "outcome"
  | "refundTotal"
  | "amountRefunded"
  | "amountReleased"
  | "disputedAt"
  | "settledAt"
  | "refundedAt"
>;
type OtherFigures = Omit<PaymentFigures, keyof KnownFigures>;

/** The arbiter's ruling, by the memo that the arbiter signed; `record`: its hash is that of a frozen record. */
export interface ReceiptDecision {
  readonly memo: "record" | "unknown" | "none" | "other_signer" | "several";
  /** The total that the ruling names, in digits. What was bound before may be more. */
  readonly total: string;
  /** SHA-256 of the record in hex digits, as the memo has it; null if the memo is no hash. */
  readonly sha256: string | null;
  readonly transaction: string;
  /** The record with the reasons in canonical JSON, for holders of the key; else null. */
  readonly record: string | null;
}

/** A receipt, version 1, without its signature. Times are ISO 8601 in UTC. */
export interface Receipt {
  readonly object: "receipt";
  readonly v: 1;
  /** The address of the deployment that signs, which publishes its keys there. */
  readonly issuer: string;
  readonly issuedAt: string;
  readonly environment: "test" | "live";
  readonly chain: {
    readonly genesisHash: string;
    readonly programId: string;
    /** SHA-256 of the program's file, as the deployment last read it. */
    readonly programHash: string;
    readonly operator: string;
  };
  readonly payment: { readonly address: string } & KnownFigures & {
      readonly [Name in keyof OtherFigures]: OtherFigures[Name] | null;
    };
  /**
   * The account's bytes in base64. `slot` is null for those of a closed record: they are what the deployment knows of the
   * account before it was closed. Null: it knows them no more.
   */
  readonly account: { readonly data: string; readonly slot: number | null } | null;
  /** The tombstone of a closed record; null while there is a record. */
  readonly tombstone: { readonly data: string; readonly slot: number } | null;
  readonly transactions: readonly { readonly kind: "created" | "decided"; readonly signature: string }[];
  /** The terms behind `payment.termsHash`. A text that names the intent is there for holders of the key; others have its fields. */
  readonly terms: { readonly text: string | null; readonly fields: Readonly<Record<string, unknown>> | null } | null;
  /** The decision is null without a ruling, and until its transaction was read. */
  readonly decision: ReceiptDecision | null;
  /** The data of the order, for holders of the receipt's key; else null. */
  readonly order: {
    readonly intent: string;
    readonly reference: string;
    readonly description: string | null;
    readonly business: {
      readonly name: string;
      readonly domain: string | null;
      readonly contact: string | null;
    };
  } | null;
}

/** A flattened JWS (RFC 7515): its payload is the receipt in canonical JSON (RFC 8785), without this member. */
interface Jws {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

export type SignedReceipt = Receipt & { readonly signature: Jws };

/** A field that differs: its value in the receipt, and the one that it is compared with. */
export interface Difference {
  readonly field: string;
  readonly receipt: string;
  readonly found: string;
  /** The place of the other value. */
  readonly where: string;
}

/** The place of a value that no receipt of version 1 has. */
export const FORM = "receipts of version 1";

export const show = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value));

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields in which two JSON values differ, named by their path. */
export function compare(receipt: unknown, other: unknown, where: string, path = ""): Difference[] {
  const isPair = (isObject(receipt) && isObject(other)) || (Array.isArray(receipt) && Array.isArray(other));
  if (!isPair)
    return receipt === other
      ? []
      : [{ field: path === "" ? "receipt" : path, receipt: show(receipt), found: show(other), where }];
  const [one, two] = [receipt, other] as Readonly<Record<string, unknown>>[];
  return [...new Set([...Object.keys(one!), ...Object.keys(two!)])].flatMap((name) =>
    compare(own(one!, name), own(two!, name), where, path === "" ? name : `${path}.${name}`),
  );
}

/** Not what it inherits: a member may be called `constructor`. */
const own = (object: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns the paths, below the value, at which it has another form; the value's own path is "". */
type Check = (value: unknown) => readonly string[];
const only =
  (isRight: (value: unknown) => boolean): Check =>
  (value) =>
    isRight(value) ? [] : [""];
const matches = (pattern: RegExp): Check => only((value) => typeof value === "string" && pattern.test(value));
const text = only((value) => typeof value === "string");
const integer = only((value) => Number.isSafeInteger(value) && (value as number) >= 0);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null ? [] : check(value);
const below = (name: string, paths: readonly string[]): string[] =>
  paths.map((path) => (path === "" ? name : `${name}.${path}`));
const members =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isObject(value)
      ? [
          ...Object.keys(value).filter((name) => !Object.hasOwn(checks, name)),
          ...Object.entries(checks).flatMap(([name, check]) => below(name, check(own(value, name)))),
        ]
      : [""];

const address = matches(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/);
const digits = matches(/^(?:0|[1-9][0-9]{0,19})$/);
const time = matches(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const hash = matches(/^[0-9a-f]{64}$/);
const word = matches(/^[A-Za-z_]{1,40}$/);
const data = matches(/^[A-Za-z0-9+/]{1,1000}={0,2}$/);

const TRANSACTIONS_MAX = 20;
const transaction = members({ kind: matches(/^(?:created|decided)$/), signature: text });

const CHECKS = {
  object: matches(/^receipt$/),
  v: only((value) => value === 1),
  issuer: text,
  issuedAt: time,
  environment: matches(/^(?:test|live)$/),
  chain: members({ genesisHash: address, programId: address, programHash: hash, operator: address }),
  payment: members({
    address,
    paymentId: digits,
    sender: orNull(address),
    recipient: orNull(address),
    amount: digits,
    asset: orNull(address),
    decimals: orNull(integer),
    tokenProgram: orNull(address),
    protectionPeriod: orNull(word),
    arbiter: orNull(address),
    rentPayer: orNull(address),
    termsHash: orNull(hash),
    createdAt: orNull(time),
    protectionDeadline: orNull(time),
    status: word,
    outcome: orNull(word),
    refundTotal: digits,
    amountRefunded: digits,
    amountReleased: digits,
    disputedAt: orNull(time),
    settledAt: orNull(time),
    refundedAt: orNull(time),
  }),
  account: orNull(members({ data, slot: orNull(integer) })),
  tombstone: orNull(members({ data, slot: integer })),
  transactions: (value) =>
    Array.isArray(value) && value.length <= TRANSACTIONS_MAX
      ? value.flatMap((one, index) => below(String(index), transaction(one)))
      : [""],
  terms: orNull(members({ text: orNull(text), fields: orNull(only(isObject)) })),
  decision: orNull(
    members({
      memo: matches(/^(?:record|unknown|none|other_signer|several)$/),
      total: digits,
      sha256: orNull(hash),
      transaction: text,
      record: orNull(text),
    }),
  ),
  order: orNull(
    members({
      intent: text,
      reference: text,
      description: orNull(text),
      business: members({ name: text, domain: orNull(text), contact: orNull(text) }),
    }),
  ),
} satisfies Readonly<Record<keyof Receipt, Check>>;

/** The fields of an object that no receipt of version 1 has, or has in this form; empty for a receipt. */
export const malformedFields: Check = members(CHECKS);

/**
 * The name of a member that an object of this valid JSON has twice; null if none has. Of two, parsers take either: a file
 * could show one value to its reader, and another one to whoever verifies it.
 */
export function repeatedMember(json: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, name, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") open.push(new Set());
    else if (name === undefined) open.pop();
    else if (colon !== undefined) {
      const member = String(JSON.parse(name));
      if (open.at(-1)!.has(member)) return member;
      open.at(-1)!.add(member);
    }
  }
  return null;
}

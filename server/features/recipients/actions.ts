import type { Chain } from "../../chain/chain.ts";
import { ChainUnavailableError, readDeadline } from "../../chain/port.ts";
import { ActionError } from "../../domain/actionError.ts";
import { isAddress } from "../../domain/addresses.ts";
import type { Actor, Member, Tenant } from "../../domain/callers.ts";
import { ApiError } from "../../domain/errors.ts";
import { isLine } from "../../domain/names.ts";
import { may, type Role, rolesFor } from "../../domain/roles.ts";
import { readNow } from "../../store/clock.ts";
import type { Db } from "../../store/database.ts";
import type { AuditAction } from "../audit/audit.ts";
import { recordAudit } from "../audit/fragments.ts";
import { isChainConfigured } from "../chains/fragments.ts";
import type { Context } from "../context.ts";
import type { EmailFacts } from "../emails/email.ts";
import { queueEmails } from "../emails/fragments.ts";
import { listOwnerAddresses } from "../staff/members/fragments.ts";
import {
  beginSavedOnly,
  deleteRecipient,
  endSavedOnly,
  findRecipient,
  findSavedOnlyRule,
  insertRecipient,
  listRecipients,
  lockRecipient,
  renameRecipient,
  setConfirmed,
  setTestIntent,
} from "./queries.ts";
import {
  canConfirm,
  isTesting,
  problemOf,
  RECIPIENTS_MAX,
  type Recipient,
  type RecipientLook,
  type RecipientWarning,
  type SavedOnlyRule,
  type SavedRecipient,
  stateOf,
  type TestPayment,
  WARNING_TEXTS,
  warningsOf,
} from "./recipient.ts";

/** The intents that serve as test payments. */
export interface TestPayments {
  /**
   * Checks the terms on chain, and throws as a create does if it refuses them. Returns the insert of the intent, for
   * the caller's transaction; the insert returns null if the intent's reference is taken.
   */
  prepare(
    tenant: Tenant,
    terms: TestTerms & { readonly recipient: string },
  ): Promise<(db: Db, now: Date) => Promise<string | null>>;
  /** The test payments of these intents, as shown at `now`. */
  find(db: Db, tenant: Tenant, intentIds: readonly string[], now: Date): Promise<ReadonlyMap<string, TestPayment>>;
}

export interface RecipientContext extends Context {
  readonly tests: TestPayments;
}

/** The findings of a check of an address, before it is saved. */
export interface RecipientCheck {
  /** The reason why it cannot be saved; null if it can. */
  readonly problem: string | null;
  readonly warnings: readonly RecipientWarning[];
}

/** Reads an address on chain; null: no node answers in time. */
async function fetchLook(chainOf: () => Chain, address: string): Promise<RecipientLook | null> {
  try {
    const { signal } = readDeadline();
    return (await chainOf().reader.fetchRecipient(address, { signal })).value;
  } catch (error) {
    if (error instanceof ChainUnavailableError) return null;
    throw error;
  }
}

/** Reads an address on chain (§13.11.1). Saves nothing. */
export async function checkRecipient(
  { chainOf }: Context,
  { environment }: Tenant,
  address: string,
): Promise<RecipientCheck> {
  if (!isAddress(address))
    return { problem: "This is not a Solana address. Expected 32 bytes in base58, 32 to 44 characters.", warnings: [] };
  const look = await fetchLook(() => chainOf(environment), address);
  const problem = problemOf(look);
  return { problem, warnings: problem === null ? warningsOf(address, look) : [] };
}

export interface NewRecipient {
  readonly address: string;
  readonly label: string;
  /** The warnings that the user has accepted. */
  readonly accepted: readonly string[];
}

/**
 * Saves a recipient. Throws {@link ActionError}: `chain_not_configured`, `name_invalid`, `recipient_unusable`,
 * `recipient_doubtful` if a warning was not accepted, `recipient_already`, `recipient_limit_reached`.
 */
export async function addRecipient(
  ctx: RecipientContext,
  { actor, role }: Pick<Member, "actor" | "role">,
  tenant: Tenant,
  { address, label, accepted }: NewRecipient,
): Promise<Recipient> {
  const { database } = ctx;
  if (!(await isChainConfigured(database, tenant.environment)))
    throw new ActionError("chain_not_configured", `No chain is configured for ${tenant.environment}.`);
  requireLabel(label);
  const { problem, warnings } = await checkRecipient(ctx, tenant, address);
  if (problem !== null) throw new ActionError("recipient_unusable", problem);
  const unread = warnings.filter((one) => !accepted.includes(one));
  if (unread.length > 0) throw new ActionError("recipient_doubtful", unread.map((one) => WARNING_TEXTS[one]).join(" "));
  const isAdded = await database.transaction(async (db) => {
    const isRestricted = await requireOwnerWhereRestricted(db, tenant, role);
    if (!(await insertRecipient(db, tenant, address, label))) return false;
    const said = warnings.length === 0 ? {} : { warnings: warnings.join(" ") };
    await db.rows(audit(actor, tenant, "recipient.added", address, { label, ...said }));
    if (isRestricted)
      await emailOwners(db, tenant, { kind: "recipient_added", facts: { ...tenant, by: actor.email, address } });
    return true;
  });
  const now = await readNow(database, tenant.environment);
  const kept = await find(ctx, database, tenant, address, now);
  if (isAdded && kept !== null) return kept;
  throw kept === null
    ? new ActionError(
        "recipient_limit_reached",
        `The business already has ${RECIPIENTS_MAX} recipients. Remove one first.`,
      )
    : new ActionError("recipient_already", `This address is already saved as ${kept.label}.`);
}

/** Throws {@link ActionError}: `name_invalid`, `recipient_not_found`. */
export const renameTo = (ctx: RecipientContext, actor: Actor, tenant: Tenant, address: string, label: string) => {
  requireLabel(label);
  return change(ctx, tenant, address, async (db, { label: before }) => {
    if (label === before) return;
    await renameRecipient(db, tenant, address, label);
    await db.rows(audit(actor, tenant, "recipient.renamed", address, { label, before }));
  });
};

/** Throws {@link ActionError}: `recipient_not_found`. */
export async function removeRecipient(
  ctx: RecipientContext,
  { actor, role }: Pick<Member, "actor" | "role">,
  tenant: Tenant,
  address: string,
): Promise<void> {
  await ctx.database.transaction(async (db) => {
    const { label, heldUntil } = await requireLocked(db, tenant, address);
    // Adding it again takes a day, in which it cannot be paid. A recipient that is still held is not missed.
    if (heldUntil === null) await requireOwnerWhereRestricted(db, tenant, role);
    await deleteRecipient(db, tenant, address);
    await db.rows(audit(actor, tenant, "recipient.removed", address, { label }));
  });
}

export interface TestTerms {
  readonly asset: string;
  readonly amount: string;
}

/**
 * Creates a small intent to the recipient (§13.11.3). Throws {@link ActionError}: `recipient_not_found`,
 * `test_under_way`; and as a create does if the chain refuses the terms.
 */
export async function startTest(
  ctx: RecipientContext,
  actor: Actor,
  tenant: Tenant,
  address: string,
  { asset, amount }: TestTerms,
): Promise<Recipient> {
  const { database, tests } = ctx;
  const found = await find(ctx, database, tenant, address, await readNow(database, tenant.environment));
  if (found === null) throw missingRecipient(address);
  requireNoTest(found);
  requireNotHeld(found);
  const insertIntent = await tests.prepare(tenant, { recipient: address, asset, amount });
  return change(ctx, tenant, address, async (db, recipient, now) => {
    requireNoTest(recipient);
    const intentId = await insertIntent(db, now);
    if (intentId === null) throw new ApiError("unavailable", "The test payment could not be created. Try again.");
    await setTestIntent(db, tenant, address, intentId);
    await db.rows(audit(actor, tenant, "recipient.tested", address, { intent: intentId, asset, amount }));
  });
}

/** Records that the test payment was found in the wallet. Throws {@link ActionError}: `recipient_not_found`, `test_not_arrived`. */
export const confirmArrival = (
  ctx: RecipientContext,
  actor: Actor & { readonly kind: "user" },
  tenant: Tenant,
  address: string,
) =>
  change(ctx, tenant, address, async (db, recipient) => {
    if (!canConfirm(recipient))
      throw new ActionError(
        "test_not_arrived",
        stateOf(recipient) === "tried"
          ? "The test payment is already confirmed."
          : "No test payment to this wallet has left the escrow yet.",
      );
    await setConfirmed(db, tenant, address, actor.email);
    await db.rows(audit(actor, tenant, "recipient.confirmed", address, { intent: recipient.test!.intentId }));
  });

/**
 * Restricts creates to saved recipients at once, or ends that after the time in which owners may notice and call it
 * off (§13.11.5). Setting the current state again is no change. Returns the resulting rule; null if there is none.
 */
export async function setSavedOnly(
  ctx: RecipientContext,
  actor: Actor & { readonly kind: "user" },
  tenant: Tenant,
  isOn: boolean,
): Promise<SavedOnlyRule | null> {
  const record = (db: Db, action: AuditAction, details: Readonly<Record<string, string>> = {}) =>
    db.rows(audit(actor, tenant, action, tenant.businessId, details));
  return ctx.database.transaction(async (db) => {
    const begun = isOn ? await beginSavedOnly(db, tenant) : null;
    if (begun !== null) await record(db, begun.isNew ? "saved_only.begun" : "saved_only.end_called_off");
    const ending = isOn ? null : await endSavedOnly(db, tenant);
    if (ending !== null) {
      const { endsAt } = ending;
      await record(db, "saved_only.end_asked", { endsAt: endsAt.toISOString() });
      await emailOwners(db, tenant, { kind: "saved_only_ending", facts: { ...tenant, by: actor.email, endsAt } });
    }
    return findSavedOnlyRule(db, tenant);
  });
}

/** Each owner is a separate source: neither many owners nor a flood of other emails drops one of these. */
async function emailOwners(db: Db, { businessId }: Tenant, email: OwnersEmail): Promise<void> {
  const owners = await listOwnerAddresses(db, businessId);
  await queueEmails(
    db,
    owners.map((recipient) => ({ ...email, recipient, source: recipient })),
  );
}

type OwnersEmail = {
  [Kind in "recipient_added" | "saved_only_ending"]: { readonly kind: Kind; readonly facts: EmailFacts[Kind] };
}["recipient_added" | "saved_only_ending"];

/** The recipients by label, as shown now. */
export async function listTried(ctx: RecipientContext, tenant: Tenant): Promise<Recipient[]> {
  const { database } = ctx;
  const now = await readNow(database, tenant.environment);
  return withTests(ctx, database, tenant, await listRecipients(database, tenant), now);
}

async function find(
  ctx: RecipientContext,
  db: Db,
  tenant: Tenant,
  address: string,
  now: Date,
): Promise<Recipient | null> {
  const saved = await findRecipient(db, tenant, address);
  return saved && (await withTests(ctx, db, tenant, [saved], now))[0]!;
}

async function withTests(
  { tests }: RecipientContext,
  db: Db,
  tenant: Tenant,
  saved: readonly SavedRecipient[],
  now: Date,
): Promise<Recipient[]> {
  const found = await tests.find(
    db,
    tenant,
    saved.flatMap(({ testIntent }) => testIntent ?? []),
    now,
  );
  return saved.map(({ testIntent, ...one }) => ({ ...one, test: found.get(testIntent ?? "") ?? null }));
}

/** Changes a recipient under its lock, and returns the result. */
async function change(
  ctx: RecipientContext,
  tenant: Tenant,
  address: string,
  work: (db: Db, recipient: Recipient, now: Date) => Promise<void>,
): Promise<Recipient> {
  const { database } = ctx;
  const now = await readNow(database, tenant.environment);
  return database.transaction(async (db) => {
    const locked = await requireLocked(db, tenant, address);
    await work(db, (await withTests(ctx, db, tenant, [locked], now))[0]!, now);
    return (await find(ctx, db, tenant, address, now))!;
  });
}

async function requireLocked(db: Db, tenant: Tenant, address: string): Promise<SavedRecipient> {
  const found = (await lockRecipient(db, tenant, address)) ? await findRecipient(db, tenant, address) : null;
  if (found === null) throw missingRecipient(address);
  return found;
}

function requireNoTest(recipient: Recipient): void {
  if (isTesting(recipient))
    throw new ActionError("test_under_way", "A test payment to this wallet is under way. Go on with that one.");
}

/** True if creates may name saved recipients only (§13.11.5). Then only owners may change them: others get `forbidden`. */
async function requireOwnerWhereRestricted(db: Db, tenant: Tenant, role: Role): Promise<boolean> {
  const isRestricted = (await findSavedOnlyRule(db, tenant)) !== null;
  if (isRestricted && !may(role, "restrict_recipients"))
    throw new ApiError(
      "forbidden",
      `Your role in this business is ${role}. API keys can use saved recipients only, so this needs one of ${rolesFor("restrict_recipients")}.`,
    );
  return isRestricted;
}

function requireNotHeld({ heldUntil }: Recipient): void {
  if (heldUntil !== null)
    throw new ActionError(
      "recipient_held",
      `This recipient is new and can be paid from ${heldUntil.toISOString()}. Test it then.`,
    );
}

function requireLabel(label: string): void {
  if (!isLine(label)) throw new ActionError("name_invalid", "The label must have 1 to 100 characters.");
}

const missingRecipient = (address: string) =>
  new ActionError("recipient_not_found", `There is no recipient ${address}.`);

const audit = (
  actor: Actor,
  { businessId, environment }: Tenant,
  action: AuditAction,
  target: string,
  details: Readonly<Record<string, string>>,
) => recordAudit(actor, { businessId, environment, action, target, details });

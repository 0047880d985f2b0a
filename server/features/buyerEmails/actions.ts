import { randomBytes } from "node:crypto";
import { type AddressBook, addressSealing } from "../../domain/buyerAddress.ts";
import type { Sealing } from "../../domain/sealing.ts";
import type { Database, Db } from "../../store/database.ts";
import type { Context } from "../context.ts";
import { eraseAtOf, hashMailbox, type Mailboxes, readMailboxKey } from "./buyerEmail.ts";
import {
  type Addressed,
  addPaidNotices,
  confirmMailbox,
  enterAddress,
  eraseMailbox,
  findMailbox,
  findSealedSecret,
  forgetNotices,
  insertSecret,
  languagesOf,
  readPaid,
  readSpoken,
  stopMailbox,
  wakeNotices,
} from "./queries.ts";

export const MAILBOX_SECRET = "mailbox secret";
const SECRET_BYTES = 32;

/** The secret that names mailboxes, made if there is none yet. */
export async function requireSecret(db: Db, sealing: Sealing): Promise<Buffer> {
  let sealed = await findSealedSecret(db);
  if (sealed === null) {
    await insertSecret(db, sealing.seal(MAILBOX_SECRET, randomBytes(SECRET_BYTES).toString("base64url")));
    sealed = await findSealedSecret(db);
  }
  return Buffer.from(sealing.open(MAILBOX_SECRET, sealed!), "base64url");
}

/** The address that holds for an intent; null if it was erased. Throws `unavailable` without its key. */
export const openAddress = (sealing: Sealing, { intent, address }: Addressed): string | null =>
  addressSealing(sealing).open(intent.businessId, address.entered ?? intent.sealedEmail);

export const openAddressBook = ({ database }: Context, sealing: Sealing): AddressBook => ({
  ...addressSealing(sealing),
  mailboxOf: async (address) => hashMailbox(await requireSecret(database, sealing), address),
});

export function openMailboxes({ database }: Context, sealing: Sealing): Mailboxes {
  const hashOf = async (key: string) => readMailboxKey(await requireSecret(database, sealing), key);
  return {
    find: async (key) => {
      const hash = await hashOf(key);
      if (hash === null) return undefined;
      const found = await findMailbox(database, hash);
      if (found === null) return null;
      return found.isConfirmed ? "confirmed" : found.isStopped ? "stopped" : null;
    },
    set: async (key, consent) => {
      const hash = await hashOf(key);
      if (hash === null) return false;
      const [lock, follow] = consent === "confirmed" ? [confirmMailbox, wakeNotices] : [stopMailbox, eraseMailbox];
      await database.transaction(async (db) => {
        await lock(db, hash);
        // A statement of its own: the one that waited for the lock does not see what was written meanwhile.
        await follow(db, hash);
      });
      return true;
    },
    languagesOf: async (intentId) => {
      const [found] = await readSpoken(database, [intentId]);
      return found === undefined ? null : languagesOf(found);
    },
    enter: (intentId, address) => enter(database, sealing, intentId, address),
  };
}

async function enter(database: Database, sealing: Sealing, intentId: string, address: string): Promise<boolean> {
  const [found] = await readPaid(database, [intentId]);
  // The merchant's own holds: whoever has the link to the page could redirect its emails.
  if (found === undefined || found.payment === null || found.intent.sealedEmail !== null) return false;
  const { intent } = found;
  const sealed = addressSealing(sealing).seal(intent.businessId, address);
  const hash = hashMailbox(await requireSecret(database, sealing), address);
  return database.transaction(async (db) => {
    // Nor does a confirmed one go: the shop has that link, too.
    if (!(await enterAddress(db, intent, intentId, { sealed, hash, eraseAt: eraseAtOf(intent, null)! }))) return false;
    await forgetNotices(db, intent, intentId);
    await addPaidNotices(db, intent, intentId);
    return true;
  });
}

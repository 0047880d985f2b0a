import { boundToBusiness } from "../../domain/buyerAddress.ts";
import type { OnUnreadable, SealedSecret, Sealing } from "../../domain/sealing.ts";
import type { Db } from "../../store/database.ts";
import { MAILBOX_SECRET } from "./actions.ts";
import { eachSealedAddress, findSealedSecret, replaceSealed, resealSecret } from "./queries.ts";

/** The secret of mailboxes, and every address that is encrypted under another key than the current one. */
export async function* listSealedAddresses(db: Db, sealing: Sealing): AsyncGenerator<SealedSecret> {
  const secret = await findSealedSecret(db);
  if (secret !== null) yield { what: MAILBOX_SECRET, boundTo: MAILBOX_SECRET, sealed: secret };
  for await (const { businessId, intentId, sealed } of eachSealedAddress(db, sealing.prefix))
    yield { what: `address of ${intentId}`, boundTo: boundToBusiness(businessId), sealed };
}

/** Encrypts them with the current key, so that older keys can be removed. */
export async function resealAddresses(db: Db, sealing: Sealing, onUnreadable: OnUnreadable): Promise<void> {
  const reseal = async (
    what: string,
    boundTo: string,
    sealed: string,
    write: (resealed: string) => Promise<unknown>,
  ) => {
    try {
      await write(sealing.seal(boundTo, sealing.open(boundTo, sealed)));
    } catch (error) {
      onUnreadable(what, error);
    }
  };
  const secret = await findSealedSecret(db);
  if (secret !== null && !secret.startsWith(sealing.prefix))
    await reseal(MAILBOX_SECRET, MAILBOX_SECRET, secret, (sealed) => resealSecret(db, secret, sealed));
  for await (const one of eachSealedAddress(db, sealing.prefix))
    await reseal(`address of ${one.intentId}`, boundToBusiness(one.businessId), one.sealed, (sealed) =>
      replaceSealed(db, one, sealed),
    );
}

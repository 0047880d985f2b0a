import { boundToBusiness } from "../../../domain/buyerAddress.ts";
import type { OnUnreadable, SealedSecret, Sealing } from "../../../domain/sealing.ts";
import type { Db } from "../../../store/database.ts";
import { eachSealed, replaceSealed } from "./queries.ts";

/** Every address of a dispute's buyer that is encrypted under another key than the current one. */
export async function* listSealedBuyers(db: Db, sealing: Sealing): AsyncGenerator<SealedSecret> {
  for await (const { businessId, disputeId, sealed } of eachSealed(db, sealing.prefix))
    yield { what: `address of ${disputeId}`, boundTo: boundToBusiness(businessId), sealed };
}

/** Encrypts them with the current key, so that older keys can be removed. */
export async function resealBuyers(db: Db, sealing: Sealing, onUnreadable: OnUnreadable): Promise<void> {
  for await (const one of eachSealed(db, sealing.prefix)) {
    const boundTo = boundToBusiness(one.businessId);
    try {
      await replaceSealed(db, one, sealing.seal(boundTo, sealing.open(boundTo, one.sealed)));
    } catch (error) {
      onUnreadable(`address of ${one.disputeId}`, error);
    }
  }
}

import { ApiError } from "./errors.ts";
import type { Sealing } from "./sealing.ts";

/** Stands for an address that was erased. */
export const ERASED = "erased";

/** Seals and opens addresses of buyers (§4.22), each bound to its business. Both throw `unavailable` without the key. */
export interface AddressSealing {
  seal(businessId: string, address: string): string;
  /** Null: there is none, or it was erased. */
  open(businessId: string, sealed: string | null): string | null;
}

/** Addresses of buyers, encrypted, and the hashes that name their mailboxes. */
export interface AddressBook extends AddressSealing {
  mailboxOf(address: string): Promise<Buffer>;
}

export const boundToBusiness = (businessId: string): string => `buyer of ${businessId}`;

/** `sealing`: the deployment's encryption; null: this process has none. */
export function addressSealing(sealing: Sealing | null): AddressSealing {
  const attempt = (work: (sealing: Sealing) => string): string => {
    try {
      if (sealing !== null) return work(sealing);
    } catch {
      // It was encrypted under a key that this process lacks.
    }
    throw new ApiError("unavailable", NO_KEY, {}, { retryAfterSeconds: 60 });
  };
  return {
    seal: (businessId, address) => attempt((one) => one.seal(boundToBusiness(businessId), address)),
    open: (businessId, sealed) =>
      sealed === null || sealed === ERASED ? null : attempt((one) => one.open(boundToBusiness(businessId), sealed)),
  };
}

const NO_KEY = "This service lacks the key for addresses of buyers. Its operator can add it.";

import { addressOf } from "../../edge/buyer/door.ts";
import { NetworkLimit, networkOf } from "../../edge/buyer/limits.ts";
import type { Request } from "../../edge/http/app.ts";

/** Reads per network and minute, of pages, states and streams together: many buyers share one network behind a mobile carrier. */
const READS_PER_MINUTE = 1_200;

/** The limit of reads that all pages of buyers share. */
export class ReadLimit {
  readonly #limit = new NetworkLimit(READS_PER_MINUTE);
  readonly #addressHeader: string | null;

  constructor(addressHeader: string | null) {
    this.#addressHeader = addressHeader;
  }

  networkFrom(request: Request): string {
    return networkOf(addressOf(request.raw, this.#addressHeader));
  }

  /** Counts a read before it is made. Null if it is allowed; else the seconds until the next one is. */
  count(request: Request): number | null {
    return this.#limit.use(this.networkFrom(request));
  }
}

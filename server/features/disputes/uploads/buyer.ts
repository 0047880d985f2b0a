import { type BuyerRoute, buyerRoute } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { created } from "../../../edge/http/route.ts";
import { isFileName } from "../files/file.ts";
import type { ProofDeps } from "../proof/actions.ts";
import {
  countOfSession,
  memberOf,
  requireDispute,
  requireSession,
  type SessionCall,
  sessionWrite,
} from "../proof/buyer.ts";
import { inBuyersWords, noDispute } from "../refusals.ts";
import { announceFile, showAnnounced } from "./actions.ts";
import { attachFile } from "./attachment.ts";
import { isFileSize, isSha256 } from "./schema.ts";
import { uploadUrl } from "./upload.ts";

/** Files that one session announces in a minute. */
const FILES_A_MINUTE = 20;
const PATH = "/pay/p/:payment/case/files";

/** §16.8: files of a buyer's dispute. */
export function buyerFileRoutes(deps: ProofDeps): BuyerRoute[] {
  const count = countOfSession(FILES_A_MINUTE);
  const base = new URL(deps.checkoutUrl).pathname.replace(/\/$/, "");
  return [
    sessionWrite(deps, PATH, count, async (given) => {
      const { payment, session } = given;
      const id = requireDispute(payment);
      const file = parseFile(given);
      const by = { side: "buyer", author: session.wallet, authorKind: "wallet", sessionId: session.id } as const;
      const announced = await deps.database
        .transaction((db) => announceFile(db, payment, id, by, file))
        .catch((error: unknown) => {
          throw inBuyersWords(error);
        });
      if (announced === null) throw noDispute();
      return created(showAnnounced(uploadUrl(base, announced.token), announced.expiresAt));
    }),
    buyerRoute("GET", `${PATH}/:file`, { from: "case" }, async (call) => {
      const { payment } = await requireSession(deps, call);
      const reply = await attachFile(deps.database, payment, requireDispute(payment), call.params.file!);
      if (reply === null) throw new BuyerError("not_found", (texts) => texts.files.none);
      return reply;
    }),
  ];
}

function parseFile({ call }: SessionCall) {
  const [name, size, sha256] = [memberOf(call, "name"), memberOf(call, "size"), memberOf(call, "sha256")];
  if (typeof name !== "string" || !isFileName(name))
    throw new BuyerError("invalid_request", (texts) => texts.files.name);
  if (typeof size !== "number" || !isFileSize(size))
    throw new BuyerError("invalid_request", (texts) => texts.files.size);
  if (typeof sha256 !== "string" || !isSha256(sha256))
    throw new BuyerError("invalid_request", (texts) => texts.files.unread);
  return { name, size, sha256 };
}

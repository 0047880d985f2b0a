import { showObject } from "../../../domain/show.ts";
import { type BuyerRoute, buyerRoute } from "../../../edge/buyer/door.ts";
import { BuyerError } from "../../../edge/buyer/error.ts";
import { created } from "../../../edge/http/route.ts";
import type { Context } from "../../context.ts";
import { countOfSession, requireDispute, requireSession, sessionWrite } from "../proof/buyer.ts";
import { inBuyersWords, noDispute } from "../refusals.ts";
import { announceFile } from "./actions.ts";
import { attachFile } from "./attachment.ts";
import { ANNOUNCE_BUYERS_FILE, GET_BUYERS_FILE, UPLOAD } from "./schema.ts";
import { uploadUrl } from "./upload.ts";

/** Files that one session announces in a minute. */
const FILES_A_MINUTE = 20;
const PATH = "/pay/p/:payment/case/files";

/** §16.8: files of a buyer's dispute. */
export function buyerFileRoutes(ctx: Context): BuyerRoute[] {
  const count = countOfSession(FILES_A_MINUTE);
  const base = new URL(ctx.checkoutUrl).pathname.replace(/\/$/, "");
  return [
    sessionWrite(ctx, PATH, ANNOUNCE_BUYERS_FILE, count, async (given) => {
      const { payment, session } = given;
      const id = requireDispute(payment);
      const file = given.call.read();
      const by = { side: "buyer", author: session.wallet, authorKind: "wallet", sessionId: session.id } as const;
      const announced = await ctx.database
        .transaction((db) => announceFile(db, payment, id, by, file))
        .catch((error: unknown) => {
          throw inBuyersWords(error);
        });
      if (announced === null) throw noDispute();
      return created(showObject(UPLOAD.show({ ...announced, uploadUrl: uploadUrl(base, announced.token) })));
    }),
    buyerRoute("GET", `${PATH}/:file`, GET_BUYERS_FILE, async (call) => {
      const { payment } = await requireSession(ctx, call);
      const reply = await attachFile(ctx.database, payment, requireDispute(payment), call.params.file!);
      if (reply === null) throw new BuyerError("not_found", (texts) => texts.files.none);
      return reply;
    }),
  ];
}

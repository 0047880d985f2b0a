import type { Merchant } from "../../../domain/callers.ts";
import { ApiError } from "../../../domain/errors.ts";
import { showObject } from "../../../domain/show.ts";
import { created, type Route, readRoute, writeRoute } from "../../../edge/http/route.ts";
import type { Context } from "../../context.ts";
import { announceFile } from "./actions.ts";
import { attachFile } from "./attachment.ts";
import { ANNOUNCE_FILE, GET_FILE, UPLOAD } from "./schema.ts";
import { uploadUrl } from "./upload.ts";

/** §4.20: files of a dispute, for a key. */
export const fileRoutes = ({ database, checkoutUrl }: Context): Route<Merchant>[] => [
  writeRoute("POST", "/disputes/:id/files", ANNOUNCE_FILE, ({ caller, params, input, write }) =>
    write.commit({
      transaction: async (db) => {
        const by = { side: "merchant", author: caller.keyId, authorKind: "key", sessionId: null } as const;
        const announced = await announceFile(db, caller, params.id!, by, input);
        if (announced === null) throw missing("dispute");
        return created(showObject(UPLOAD.show({ ...announced, uploadUrl: uploadUrl(checkoutUrl, announced.token) })));
      },
    }),
  ),
  readRoute("/disputes/:id/files/:file", GET_FILE, async ({ caller, params }) => {
    const reply = await attachFile(database, caller, params.id!, params.file!);
    if (reply === null) throw missing("file");
    return reply;
  }),
];

const missing = (what: "dispute" | "file"): ApiError =>
  new ApiError("not_found", `There is no such ${what} for this key's business and environment.`);

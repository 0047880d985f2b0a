import { showObject } from "../../domain/show.ts";
import { ok } from "../http/route.ts";
import { answer } from "../http/schemas.ts";

/** The errors of a change within a business that needs a recent proof. */
export const CHANGE_ERRORS = ["forbidden", "proof_required", "not_found", "action_refused"] as const;

/** The success of an operation that answers with nothing, and its answer. */
export const DONE = answer(200, "Done.", "Done", { object: "done" });
export const done = ok(showObject(DONE.example));

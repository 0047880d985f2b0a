import type { Visitor } from "../../domain/callers.ts";
import { showPage } from "../../domain/page.ts";
import { showObject } from "../../domain/show.ts";
import { ok, type Route } from "../../edge/http/route.ts";
import { MERCHANT_ERROR_DOCS } from "../../edge/merchant/errorDocs.ts";
import { memberRead, missing, tenantOf } from "../../edge/staff/route.ts";
import type { Context } from "../context.ts";
import { findRequest, listRequests } from "./queries.ts";
import { timeOfRequest } from "./request.ts";
import { GET_REQUEST, LIST_REQUESTS, REQUEST, REQUEST_DETAILS } from "./schema.ts";

const PATH = "/businesses/:business/:environment/requests";

/** §13.9. */
export const requestRoutes = ({ slowDatabase }: Context): Route<Visitor>[] => [
  memberRead("read", PATH, LIST_REQUESTS, async ({ caller, params, input }) => {
    if (input.startingAfter !== null && timeOfRequest(input.startingAfter) === null) throw missing();
    const found = await listRequests(slowDatabase, tenantOf(caller, params), input);
    return ok(showPage(found, input.limit, (one) => showObject(REQUEST.show(one))));
  }),
  memberRead("read", `${PATH}/:request`, GET_REQUEST, async ({ caller, params }) => {
    const found = await findRequest(slowDatabase, tenantOf(caller, params), params.request!);
    if (found === null) throw missing();
    return ok(showObject(REQUEST_DETAILS.show({ ...found, meaning: meaningOf(found.errorCode) })));
  }),
];

const meaningOf = (code: string | null): string | null =>
  Object.entries(MERCHANT_ERROR_DOCS).find(([known]) => known === code)?.[1].meaning ?? null;

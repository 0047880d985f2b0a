import { Type } from "typebox";
import { idKind } from "../../domain/ids.ts";
import { FLAG, TEXT, TIME } from "../../domain/values.ts";
import { type Components, declarations } from "../../edge/http/declaration.ts";
import { shownObject } from "../../edge/http/objects.ts";
import { pageParameters, parameter, type QueryValues } from "../../edge/http/parameters.ts";
import { answer, listAnswer, listOf } from "../../edge/http/schemas.ts";
import { MERCHANT_ERROR_DOCS } from "../../edge/merchant/errorDocs.ts";
import { tenantPath } from "../../edge/staff/paths.ts";
import { nullable, text } from "../../lib/columns.ts";
import { equals, IDS_AFTER, IDS_BEFORE, isPresent } from "../../store/filters.ts";
import { DETAILED, LISTED } from "./request.ts";

export const REQUEST = shownObject("request", LISTED, "A request of the merchant API, of the last seven days.");
export const REQUEST_DETAILS = shownObject(
  "request",
  {
    ...DETAILED,
    meaning: nullable(
      text({
        says: "The meaning of this error, and the next step.",
        example: MERCHANT_ERROR_DOCS.invalid_request.meaning,
      }),
    ),
  },
  "A request with its body, and the reason of its refusal.",
);

export const requestComponents: Components = {
  Request: REQUEST.schema,
  RequestList: listOf("Request", "Requests"),
  RequestDetails: REQUEST_DETAILS.schema,
};

const REQUEST_ID = String(REQUEST.example.id);
const KEY_ID = String(REQUEST.example.key);
const AT = String(REQUEST.example.arrivedAt);

const { limit, starting_after } = pageParameters(idKind("req"), REQUEST_ID, "request");

const declare = declarations({ tag: "Requests", path: tenantPath, errors: ["not_found"] });

export const LIST_REQUESTS = declare({
  operationId: "listRequests",
  summary: "List requests",
  description: "Requests of the last seven days that came with a key of this environment, newest first.",
  query: {
    key: parameter(TEXT, "Only requests with this key.", { example: KEY_ID, filter: equals("key_id") }),
    error_code: parameter(TEXT, "Only requests answered with this error.", {
      example: "invalid_request",
      filter: equals("error_code"),
    }),
    failed: parameter(FLAG, "Only requests answered with an error, or only the others.", {
      filter: isPresent("error_code"),
    }),
    about: parameter(TEXT, "Only requests about this intent, payment or event.", { filter: equals("object_id") }),
    arrived_after: parameter(TIME, "Only requests after this time.", { example: AT, filter: IDS_AFTER }),
    arrived_before: parameter(TIME, "Only requests before this time.", { example: AT, filter: IDS_BEFORE }),
    limit,
    starting_after,
  },
  success: listAnswer("A page of requests.", "Request", REQUEST.example),
});

/** The filters of the list, and its page. */
export type RequestQuery = QueryValues<typeof LIST_REQUESTS.query>;

export const GET_REQUEST = declare({
  operationId: "getRequest",
  summary: "Get a request",
  description: "By its Request-Id, with its body.",
  path: {
    ...tenantPath,
    request: { schema: Type.String(), description: "The Request-Id.", example: REQUEST_ID },
  },
  success: answer(200, "The request.", "RequestDetails", REQUEST_DETAILS.example),
});

import { newRequestId } from "../../domain/ids.ts";
import type { LoggedRequest } from "./request.ts";

/** A request that has just succeeded. */
export const aLoggedRequest = (given: Partial<LoggedRequest> = {}): LoggedRequest => ({
  businessId: "biz_1",
  environment: "test",
  id: newRequestId(new Date()),
  keyId: "key_1",
  method: "GET",
  path: "/api/v1/me",
  status: 200,
  errorCode: null,
  durationMs: 1.25,
  objectId: null,
  body: null,
  answer: null,
  ...given,
});

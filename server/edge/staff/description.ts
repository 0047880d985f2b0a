import type { DoorDescription } from "../http/openapi.ts";
import { STAFF_ERROR_DOCS } from "./errorDocs.ts";

export const STAFF_PREFIX = "/staff/v1";

const INTRODUCTION = `What the dashboard asks for. It belongs to this deployment's dashboard and changes with it: programs use the merchant API.

A session is a cookie that no script can read. Every write must say by \`Sec-Fetch-Site\` or \`Origin\` that it comes from the dashboard. Operations on keys, secrets, members and ways to sign in need a proof of the user within the last ten minutes (403 \`proof_required\`).

A write may have an \`Idempotency-Key\`, by which it is done once in a day: a repeat is 409 \`sent_before\`, or \`idempotency_in_progress\` while nobody knows whether it was done. Answers are not kept.

An id of another business, or of the other environment, is answered as an unknown one.`;

/** The description of the staff API in its document, without operations and objects. */
export const STAFF_DESCRIPTION: DoorDescription = {
  prefix: STAFF_PREFIX,
  title: "Holdfast staff API",
  summary: "Sign-in, businesses, members, keys and webhooks, for the dashboard.",
  introduction: INTRODUCTION,
  tags: [
    { name: "Sign-in", description: "The ways in which a user gets a session." },
    { name: "Account", description: "A user's own sessions and ways to sign in." },
    { name: "Businesses", description: "Businesses, their members and what was done there." },
    { name: "API keys", description: "The keys of the merchant API." },
    { name: "Events", description: "The changes of intents and payments, and their present states." },
    { name: "Requests", description: "The requests of programs to the merchant API, with their answers." },
    { name: "Webhooks", description: "The endpoints of a business, what was sent to them and what came back." },
  ],
  securitySchemes: {
    session: {
      type: "apiKey",
      in: "cookie",
      name: "__Host-holdfast_session",
      description: "The session's cookie; without https it is named `holdfast_session`.",
    },
  },
  errors: ["bad_request", "invalid_request", "unauthorized", "cross_site_request", "internal_error", "unavailable"],
  errorDocs: STAFF_ERROR_DOCS,
  takesIdempotencyKeys: false,
  admittedHeaders: {},
  unauthorizedHeaders: {},
};

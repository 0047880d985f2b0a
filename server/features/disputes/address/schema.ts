import { TEXT, textKind } from "../../../domain/values.ts";
import { buyerBody, NO_MEMBERS, needed } from "../../../edge/buyer/body.ts";
import { shownAnswer } from "../../../edge/http/objects.ts";
import { parseEmail } from "../../staff/user.ts";
import { declareCase, done, SESSION_ERRORS } from "../proof/schema.ts";

export const CASE_ADDRESS = done("case_address");
const success = shownAnswer(200, "Done.", CASE_ADDRESS);

export const SET_ADDRESS = declareCase({
  operationId: "setAddress",
  summary: "Enter an address for emails",
  description: "Sends a link that confirms the address.",
  body: buyerBody(
    "Address",
    {
      email: needed(
        textKind({ maxLength: 254 }, "an email address", parseEmail),
        "The address.",
        (texts) => texts.dispute.email,
      ),
    },
    { email: "ada@example.com" },
  ),
  success,
  errors: SESSION_ERRORS,
});
export const CONFIRM_ADDRESS = declareCase({
  operationId: "confirmAddress",
  summary: "Confirm the address",
  description: "Takes the code of the link.",
  body: buyerBody(
    "AddressCode",
    { code: needed(TEXT, "The code.", (texts) => texts.dispute.linkEnded) },
    { code: "pJ1kq0S7m0m3mS0k8mXo7w5wZ3q9mJtq3Cw1l8w2x4A" },
  ),
  success,
  errors: SESSION_ERRORS,
});
export const REMOVE_ADDRESS = declareCase({
  operationId: "removeAddress",
  summary: "Remove the address",
  description: "Ends emails about the dispute.",
  body: NO_MEMBERS,
  success,
  errors: SESSION_ERRORS,
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { eventText, stepText } from "./eventTypes.ts";

test("§13.10 an update of a dispute says what happened, by the members that changed", () => {
  for (const [changed, says] of [
    [["reason", "requestedTotal", "turn", "statements"], "The buyer said what is wrong"],
    [["status", "turn", "offers", "agreement"], "Both sides agreed"],
    [["status", "turn", "decidingAt", "decideBy", "agreement"], "The agreement failed"],
    [["turn", "agreement"], "The next step of the agreement changed"],
    [["status", "turn", "decidingAt", "decideBy", "offers"], "Talking ended, and the arbiter decides"],
    [["turn", "decideBy", "questionUntil"], "The arbiter asked a question"],
    [["turn", "questionUntil", "offers"], "The time to answer the arbiter's question ended"],
    [["turn", "answerBy", "statements"], "A text was sent"],
    [["turn", "files", "offers"], "A file was sent"],
    [["turn", "offers"], "An offer was made"],
    [["answerBy", "offers"], "An offer was made"],
    [["offers"], "An offer was made, declined or withdrawn, or it expired"],
    [["decision"], "The arbiter's decision was read"],
    [["status", "turn"], "The chain dropped a step of the dispute before it was final"],
    [["status", "turn", "offers", "closedAt"], "The chain dropped a step of the dispute before it was final"],
    [["status", "turn", "openedAt", "answerBy", "agreement"], "The chain shows the dispute again"],
    [[], "A side asked for the arbiter"],
    [["turn"], "The dispute changed"],
  ] as const) {
    assert.equal(stepText({ type: "dispute.updated", changed }), says, changed.join());
    assert.equal(eventText({ type: "dispute.updated", changed }), `${says}.`);
  }
});

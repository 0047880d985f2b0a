import assert from "node:assert/strict";
import { test } from "node:test";
import { withVariables } from "./addTo.ts";

const VARIABLES = { HOLDFAST_API_URL: "http://localhost:3000/api/v1", HOLDFAST_API_KEY: "sk_test_1" };

test("a shop's variables stay, and those that it lacks come after them", () => {
  assert.equal(
    withVariables("JWT_SECRET=one\nHOLDFAST_API_KEY=own", VARIABLES),
    "JWT_SECRET=one\nHOLDFAST_API_KEY=own\nHOLDFAST_API_URL=http://localhost:3000/api/v1\n",
  );
  assert.equal(
    withVariables("", VARIABLES),
    "HOLDFAST_API_URL=http://localhost:3000/api/v1\nHOLDFAST_API_KEY=sk_test_1\n",
  );
});

test("adding a plugin again changes no variable", () => {
  const once = withVariables("A=1\n", VARIABLES);
  assert.equal(withVariables(once, VARIABLES), once);
});

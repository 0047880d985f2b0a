import { test } from "node:test";
import { runKeeper } from "./keeper.ts";

test("two workers settle all that can be settled, once, for fees alone, whatever others do to their own payments", async () => {
  await runKeeper({ businesses: 8, payments: 48, hopeless: 10, large: 7, concurrency: 3 });
});

import { createDisputeClock } from "../../server/features/disputes/clock.ts";
import { testContext } from "../../server/features/testing.ts";
import { openDatabase } from "../../server/store/database.ts";
import { Sides, type Spoken } from "./disputeSides.ts";
import { Random } from "./random.ts";

// Both sides of disputes, and the clock that workers share, in a process of its own, to be killed.
const [databaseUrl, business, seed] = process.argv.slice(2) as [string, string, string];
// An error is an answer that was lost: the other process cuts connections.
const log = () => undefined;
const connection = { connectionString: databaseUrl };
const database = openDatabase({ connection, connectionsMax: 4, statementTimeoutMs: 20_000, log });
/** Waits until the parent can read it, since a kill may follow at once. */
const onSpoken = (spoken: Spoken) =>
  new Promise<void>((done, failed) =>
    process.send!(spoken, undefined, undefined, (error) => (error ? failed(error) : done())),
  );
const random = new Random(Number(seed));
const sides = new Sides({ database, business }, random, {}, { name: `of ${process.pid}, `, onSpoken });
const moveClocks = createDisputeClock(testContext({ database }));
process.once("disconnect", () => process.exit(1));
for (;;) {
  await sides.speak(random.whole(1, 4)).catch(log);
  if (random.chance(0.2)) await moveClocks().catch(log);
}

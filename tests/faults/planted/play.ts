// Plays the scenario of a bug, whose mistakes this process has, and prints the promises that the checker found broken.
import { piece } from "../../../server/store/sql.ts";
import { SteppedService } from "../steppedService.ts";
import { BUGS } from "./bugs.ts";

const bug = BUGS[Number(process.argv[2])];
if (bug === undefined) throw new Error("Which bug?");
const stepped = await SteppedService.open({ nodes: ["one", "two"] });
if (bug.schema !== undefined) await stepped.database.rows(piece(bug.schema));
await bug.scenario(stepped);
const { violated } = await stepped.check();
await stepped[Symbol.asyncDispose]();
process.stdout.write(JSON.stringify(violated), () => process.exit(0));

// A merchant's process that follows events: `follower.ts <url> <key> <file>`. Each event becomes a line of the file, and the
// last whole line is where the next process goes on. Writing a line is dealing with the event: one write does both.
import { appendFileSync, readFileSync, truncateSync } from "node:fs";
import { Holdfast } from "../index.ts";

const [url, key, path] = process.argv.slice(2) as [string, string, string];
const text = readFileSync(path, "utf8");
const whole = text.slice(0, text.lastIndexOf("\n") + 1);
truncateSync(path, Buffer.byteLength(whole));
const after = whole.trimEnd().split("\n").at(-1) || "0";

const holdfast = new Holdfast({ apiKey: key, baseUrl: url });
for await (const { sequence } of holdfast.events.follow({ after })) appendFileSync(path, `${sequence}\n`);

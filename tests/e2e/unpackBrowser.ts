// Unpacks the browser of @sparticuz/chromium into the folder that TMPDIR names. It is a process of its own, because the
// package takes the folder from nowhere else.
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import chromium, { inflate } from "@sparticuz/chromium";

await chromium.executablePath();
// Libraries that a machine without Debian's libnss3 and libnspr4 lacks.
await inflate(join(fileURLToPath(new URL("../bin/", import.meta.resolve("@sparticuz/chromium"))), "al2023.tar.br"));
process.stdout.write(`${tmpdir()}\n`);

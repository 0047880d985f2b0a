import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pay } from "../../tests/harness/chain.ts";
import { type Merchant, newMerchant, someTerms } from "../../tests/harness/merchant.ts";
import { type RunningService, sharedService } from "../../tests/harness/service.ts";
import { newUser, type User } from "./cli.ts";

const HELP_LINES_MAX = 40;
const COMMANDS = [
  ...["login", "whoami", "doctor", "listen", "explain", "receipt verify", "conform", "trigger", "completion"],
  ...["pay", "dispute", "release", "refund", "rule", "close", "advance"],
  ...["events list", "events get", "events tail", "events resend"],
  ...["intents create", "intents get", "intents list", "intents cancel", "intents wait"],
  ...["payments list", "payments get"],
];

let service: RunningService;
let merchant: Merchant;
let user: User;
before(async () => {
  service = await sharedService();
  merchant = await newMerchant(service);
  user = await newUser({ HOLDFAST_API_KEY: merchant.key, HOLDFAST_API_URL: service.apiUrl });
});
after(async () => {
  await user?.[Symbol.asyncDispose]();
  await service?.remove();
});

test(`every command's help has at most ${HELP_LINES_MAX} lines and an example; a wrong word is 2, with a suggestion`, async () => {
  await Promise.all(
    COMMANDS.map(async (command) => {
      const { code, out } = await user.run([...command.split(" "), "--help"]);
      assert.equal(code, 0, command);
      assert.ok(out.split("\n").length <= HELP_LINES_MAX, command);
      assert.match(out, /Example:\n {2}\$ holdfast /, command);
      assert.match(out, /--json/, command);
    }),
  );
  const wrong = [
    ["lisen"],
    ["doctor", "--jsn"],
    ["intents", "list", "--status", "open"],
    ["intents", "list", "--limit", "0"],
    [],
  ];
  for (const words of wrong) assert.equal((await user.run(words)).code, 2, words.join(" "));
  const unknown = await user.runAlone(["lisen"]);
  assert.equal(unknown.code, 2);
  assert.match(unknown.errors, /Did you mean listen\?/);
  assert.match((await user.run(["doctor", "--jsn"])).errors, /Did you mean --json\?/);
});

test("completion in bash knows every command, its options and their values", async () => {
  const { code, out } = await user.run(["completion", "bash"]);
  assert.equal(code, 0);
  const asked = COMMANDS.flatMap((line) => [line, `${line} `]).concat(
    ...["int", "intents list --limit 5 --st", "payments list --role ", "completion z"],
  );
  // One shell for all of them: a line of output for each line of input.
  const program = `${out}
while IFS= read -r line; do
  COMP_WORDS=(holdfast $line); [[ $line == *" " ]] && COMP_WORDS+=("")
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _holdfast; echo "\${COMPREPLY[*]}"
done`;
  const printed = execFileSync("bash", ["-c", program], {
    input: asked.map((line) => `${line}\n`).join(""),
    encoding: "utf8",
  });
  const answers = new Map(printed.split("\n").map((line, index) => [asked[index], line.split(" ")]));
  for (const line of COMMANDS) {
    assert.ok(answers.get(line)!.includes(line.split(" ").at(-1)!), line);
    assert.ok(answers.get(`${line} `)!.includes("--json"), line);
  }
  assert.deepEqual(answers.get("int"), ["intents"]);
  assert.deepEqual(answers.get("intents list --limit 5 --st"), ["--status"]);
  assert.deepEqual(answers.get("payments list --role "), ["primary", "duplicate"]);
  assert.deepEqual(answers.get("completion z"), ["zsh"]);
  assert.match((await user.run(["completion", "zsh"])).out, /^autoload -U \+X bashcompinit && bashcompinit\n_holdfast/);
  assert.equal((await user.run(["completion", "tcsh"])).code, 2);
});

test("an order on the command line: create, wait, get, list, explain, cancel, each as JSON", async () => {
  const terms = someTerms(service) as Record<string, string>;
  const words = [
    "--recipient",
    terms.recipient!,
    "--amount",
    "5000000",
    "--asset",
    terms.asset!,
    "--reference",
    "cli-1",
  ];
  const made = await user.runAlone(["intents", "create", ...words, "--description", "Beans", "--json"]);
  assert.equal(made.code, 0, made.errors);
  const [intent] = made.lines;
  assert.deepEqual(
    [intent.status, intent.description, intent.merchantReference],
    ["requires_payment", "Beans", "cli-1"],
  );
  const late = await user.run(["intents", "wait", intent.id, "--timeout", "1"]);
  assert.deepEqual([late.code, late.out], [3, ""]);
  const { signature, payment } = await pay(service, intent);
  const paid = await user.run(["intents", "wait", intent.id, "--status", "paid", "--timeout", "600", "--json"]);
  assert.deepEqual([paid.code, paid.lines[0].payment.id], [0, payment]);
  assert.equal((await user.run(["intents", "get", intent.id, "--json"])).lines[0].status, "paid");
  assert.deepEqual(
    (await user.run(["payments", "list", "--intent", intent.id, "--json"])).lines.map(({ id }) => id),
    [payment],
  );
  assert.equal((await user.run(["payments", "get", payment, "--json"])).lines[0].signature, signature);
  const explained = await user.run(["explain", signature, "--intent", intent.id]);
  assert.equal(explained.code, 0);
  assert.match(explained.out, /pass {5}amount +expected 5000000, found 5000000\n/);
  const other = (await user.run(["intents", "create", ...words.slice(0, -1), "cli-2", "--json"])).lines[0];
  const refused = await user.run(["explain", signature, "--intent", other.id, "--json"]);
  assert.deepEqual([refused.code, refused.lines[0].outcome], [1, "signature_unverified"]);
  assert.deepEqual(
    (await user.run(["intents", "list", "--limit", "1", "--json"])).lines.map(({ id }) => id),
    [other.id],
  );
  assert.equal((await user.run(["intents", "cancel", other.id, "--json"])).lines[0].status, "canceled");
  const again = await user.runAlone(["intents", "cancel", other.id]);
  assert.equal(again.code, 1);
  assert.match(again.errors, /^intent_not_cancelable: .*\[req_/);
  const events = await user.run(["events", "list", "--type", "payment_intent.*", "--all", "--json"]);
  assert.deepEqual(
    events.lines.map(({ type }) => type.split(".")[1]),
    ["canceled", "created", "paid", "created"],
  );
  assert.deepEqual((await user.run(["events", "get", events.lines[0].id, "--json"])).lines[0], events.lines[0]);
  const tail = await user.run(["events", "tail", "--after", "0", "--exit-after", "3", "--json"]);
  assert.deepEqual(
    tail.lines.map(({ sequence }) => sequence),
    ["1", "2", "3"],
  );
});

test("doctor checks key, clock, connection, version, nodes and chain", async () => {
  const { code, lines } = await user.run(["doctor", "--json"]);
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map(({ check }) => check),
    ["key", "clock", "connection", "version", "nodes", "chain"],
  );
  assert.deepEqual(
    lines.filter(({ check, verdict }) => check !== "chain" && verdict !== "ok"),
    [],
  );
});

test("login keeps a key that works, in a file of the user's alone, and never shows it; the exit codes say what is missing", async () => {
  await using stranger = await newUser();
  const none = await stranger.run(["doctor"]);
  assert.equal(none.code, 4);
  assert.match(none.errors, /holdfast login/);
  const login = (key: string, ...words: string[]) =>
    stranger.runAlone(["login", "--url", service.apiUrl, "--key-stdin", ...words], { input: `${key}\n` });
  assert.equal((await login("hunter2")).code, 4);
  const wrong = `${merchant.key.slice(0, -1)}${merchant.key.endsWith("x") ? "y" : "x"}`;
  assert.equal((await login(wrong)).code, 4);
  const done = await login(merchant.key, "--profile", "shop", "--json");
  assert.deepEqual([done.code, done.lines[0].business], [0, merchant.business]);
  assert.ok(![done.out, done.errors].some((text) => text.includes(merchant.key)));
  assert.equal((await stat(join(stranger.home, "holdfast/config.json"))).mode & 0o777, 0o600);
  assert.equal((await stranger.run(["doctor", "--profile", "shop"])).code, 0);
  assert.equal((await stranger.run(["doctor", "--profile", "shpo"])).code, 4);
  const away = { HOLDFAST_API_KEY: merchant.key, HOLDFAST_API_URL: "http://localhost:9" };
  const unreachable = await stranger.run(["doctor"], away);
  assert.equal(unreachable.code, 5, unreachable.errors);
  assert.ok(!unreachable.errors.includes(merchant.key));
  const plain = ["login", "--url", "http://pay.invalid", "--key-stdin"];
  const warned = await stranger.runAlone(plain, { input: `${merchant.key}\n` });
  assert.match(warned.errors, /^Warning: http:\/\/pay\.invalid is plain http/);
  assert.ok(![warned.out, warned.errors].some((text) => text.includes(merchant.key)));
});

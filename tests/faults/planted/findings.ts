/** A mistake that an attack found once, which is mended, or that a judge must find: the test that is red when it comes. */
export interface Mended {
  readonly what: string;
  /** The file, the text that stands there exactly once, and the mistake that replaces it. */
  readonly edit: readonly [file: string, from: string, to: string];
  /** The test's file, and a part of its name. */
  readonly test: readonly [file: string, name: string];
}

export const MENDED: readonly Mended[] = [
  {
    what: "a database that refuses connections is stormed",
    edit: ["server/store/connectionQueue.ts", "const PAUSE_MS_MAX = 5_000;", "const PAUSE_MS_MAX = 1;"],
    test: ["server/store/connectionQueue.test.ts", "attempts back off"],
  },
  {
    what: "a statement waits for ever behind a connection that nobody closes",
    edit: ["server/store/pool.ts", "        client.connection.stream.destroy();\n", ""],
    test: ["server/store/connectionQueue.test.ts", "its server has ended it and the connection stays open"],
  },
  {
    what: "loops retry an outage without growing waits",
    edit: ["server/lib/loop.ts", "waitMs = waitAfter(++errors, idleMs);", "waitMs = waitAfter(++errors * 0, idleMs);"],
    test: ["server/lib/loop.test.ts", "waits for longer after each error"],
  },
  {
    what: "a form that is sent again is done again",
    edit: ["server/edge/http/formKeys.ts", "if (claimed === null)", "if (claimed === undefined)"],
    test: ["server/features/disputes/staff.test.ts", "a form that is sent again"],
  },
  {
    what: "one member of several is told of a dispute",
    edit: [
      "server/features/disputes/notices/gather.ts",
      "const emails = readers.flatMap(",
      "const emails = readers.slice(0, 1).flatMap(",
    ],
    test: ["server/features/disputes/notices/gather.test.ts", "owners and members who answer disputes are told"],
  },
  {
    what: "one of fifty news of disputes is lost, of a dispute that the email would not have named",
    edit: [
      "server/features/disputes/notices/gather.ts",
      "due.filter(({ holds }) => holds);",
      "due.filter(({ holds }, at) => holds && at !== 44);",
    ],
    test: ["tests/faults/all/news.test.ts", "all news of disputes comes"],
  },
  {
    what: "an email that was deferred gets no second try",
    edit: ["server/features/emails/send.ts", "code >= 400 && code < 500", "code === 499"],
    test: ["server/features/emails/send.test.ts", "that defers an email is tried again later"],
  },
  {
    what: "an email is lost with the process that was sending it",
    edit: [
      "server/features/emails/queries.ts",
      "(leased_until is null or leased_until <= now())",
      "leased_until is null",
    ],
    test: ["server/features/emails/send.test.ts", "one that died leaves its email"],
  },
  {
    what: "a connection that fails by an unknown code is a fault of the service",
    edit: [
      "server/store/unavailable.ts",
      "if (error instanceof DatabaseUnavailableError) return error;",
      "if (error instanceof DatabaseUnavailableError || !isUnreachable(error)) return error as DatabaseUnavailableError;",
    ],
    test: ["server/store/unavailable.test.ts", "whatever fails before a statement was sent"],
  },
  {
    what: "limits count by the clock of the machine",
    edit: ["server/edge/buyer/limits.ts", "nowMs = () => performance.now()", "nowMs = () => Date.now()"],
    test: ["server/edge/buyer/limits.test.ts", "set back keeps nobody out"],
  },
  {
    what: "an upload that broke before anybody listened keeps its room",
    edit: ["server/features/disputes/uploads/upload.ts", "if (request.destroyed) onGone();\n  else ", ""],
    test: ["server/features/disputes/uploads/upload.test.ts", "breaks at once gives its room back"],
  },
  {
    what: "a client that still sends is reset before it reads its refusal",
    edit: [
      "server/edge/http/connections.ts",
      "  socket.end();\n  const readMax",
      "  socket.destroy();\n  const readMax",
    ],
    test: ["server/edge/http/connections.test.ts", "a client that still sends a refused body reads its answer"],
  },
  {
    what: "a transaction that can no longer land is answered as sent",
    edit: [
      "server/chain/actionSender.ts",
      'if (trial.kind === "would_fail" || trial.kind === "ended") return trial;',
      'if (trial.kind === "would_fail") return trial;\n      if (trial.kind === "ended") return { kind: "sent", signature, action };',
    ],
    test: ["server/chain/actionSender.test.ts", "never after its blockhash has ended"],
  },
  {
    what: "readyz is well while nothing can be written",
    edit: ["server/store/writable.ts", "await proveWritable(database);", "await database.rows(sql`select 1`);"],
    test: ["server/process/databases.test.ts", "readyz is not ok while nothing can be written"],
  },
];

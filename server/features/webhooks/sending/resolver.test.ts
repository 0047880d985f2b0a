import assert from "node:assert/strict";
import { test } from "node:test";
import { HUNG_MS } from "../../../../tests/harness/wait.ts";
import { type NameServer, type Records, startNameServer } from "../testing/dns.ts";
import { Connections } from "./connections.ts";
import { resolveAddresses } from "./guard.ts";
import { createResolve } from "./resolver.ts";
import { sendDelivery } from "./send.ts";

const NAME = "hooks.shop-demo.com";
/** The time of a query that nobody answers; longer if the other of a name is answered in that time. */
const SILENT_MS = { both: 150, one: 600 };
const PUBLIC = "93.184.215.14";
const PUBLIC_TOO = "93.184.215.15";
const PUBLIC_6 = "2606:2800:21f:cb07:6820:80da:af6b:8b2c";

function resolveAt({ port, records: { A, AAAA } }: NameServer) {
  const silentMs = A === null && AAAA === null ? SILENT_MS.both : SILENT_MS.one;
  const queryMs = A === null || AAAA === null ? silentMs : 2 * HUNG_MS;
  return createResolve({ servers: [`127.0.0.1:${port}`], queryMs });
}

/** The resolved addresses, in order; or the code of the failure. */
async function lookUp(server: NameServer): Promise<readonly string[] | string> {
  try {
    const addresses = await resolveAt(server)(NAME, new AbortController().signal);
    for (const one of addresses) assert.deepEqual([one.port, one.listed], [443, false]);
    return addresses.map(({ address }) => address);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code!;
  }
}

const ANSWERS: readonly [what: string, Records, readonly string[] | string][] = [
  ["IPv4 alone", { A: [PUBLIC] }, [PUBLIC]],
  ["IPv6 alone", { AAAA: [PUBLIC_6] }, [PUBLIC_6]],
  ["both", { A: [PUBLIC, PUBLIC_TOO], AAAA: [PUBLIC_6] }, [PUBLIC, PUBLIC_TOO, PUBLIC_6]],
  ["a name without an address", {}, []],
  ["a name that does not exist", { A: 3, AAAA: 3 }, []],
  ["a server that fails", { A: 2, AAAA: 2 }, "ESERVFAIL"],
  ["a server that refuses", { A: 5, AAAA: 5 }, "EREFUSED"],
  ["a server that is silent", { A: null, AAAA: null }, "ETIMEOUT"],
  ["IPv4, and a server that fails for IPv6", { A: [PUBLIC], AAAA: 2 }, [PUBLIC]],
  ["IPv6, and a server that is silent for IPv4", { A: null, AAAA: [PUBLIC_6] }, [PUBLIC_6]],
  ["no IPv4, and a server that fails for IPv6", { AAAA: 2 }, "ESERVFAIL"],
  ["names that lead on to another", { A: [PUBLIC], aliases: ["a.cdn.com", "b.cdn.com", "c.cdn.com"] }, [PUBLIC]],
];

for (const [what, records, expected] of ANSWERS)
  test(`§6.1.5 DNS answers with ${what}`, async () => {
    await using server = await startNameServer(records);
    assert.deepEqual(await lookUp(server), expected);
    assert.deepEqual(
      new Set(server.asked),
      new Set([`A ${NAME}`, `AAAA ${NAME}`]),
      "the name itself, and nothing else",
    );
  });

test("§6.1.5 of many addresses every one is checked", async () => {
  const many = Array.from({ length: 30 }, (_, index) => `93.184.216.${index + 1}`);
  await using server = await startNameServer({ A: many });
  assert.deepEqual(new Set(await lookUp(server)), new Set(many));
  server.records = { A: [...many, "10.0.0.1"] };
  const { signal } = new AbortController();
  await assert.rejects(
    resolveAddresses(resolveAt(server), NAME, signal),
    /leads to 10\.0\.0\.1, which is not a public/,
  );
});

test("§6.1.5 a name that turns private between two deliveries is refused, however long its answer was to be kept", async () => {
  await using server = await startNameServer({ A: [PUBLIC] });
  assert.deepEqual(await lookUp(server), [PUBLIC]);
  server.records = { A: ["127.0.0.1"], aliases: ["inside.shop-demo.com"] };
  const connections = new Connections({ ca: null });
  const outcome = await sendDelivery({ connections, resolve: resolveAt(server) }, `https://${NAME}/`, {}, "{}");
  connections.close();
  assert.equal(outcome.error, `the name ${NAME} leads to 127.0.0.1, which is not a public address`);
});

test("§6.2 a look-up ends with the attempt's deadline, and the reason for the merchant says what failed", async () => {
  await using server = await startNameServer({ A: null, AAAA: null });
  const connections = new Connections({ ca: null });
  const sending = {
    connections,
    resolve: createResolve({ servers: [`127.0.0.1:${server.port}`], queryMs: 2 * HUNG_MS }),
  };
  const late = await sendDelivery({ ...sending, attemptMs: 200 }, `https://${NAME}/`, {}, "{}");
  assert.equal(late.error, "no answer within 0.2 s");
  const silent = await sendDelivery({ connections, resolve: resolveAt(server) }, `https://${NAME}/`, {}, "{}");
  assert.equal(silent.error, "the DNS servers did not answer");
  server.records = { A: 3, AAAA: 3 };
  const gone = await sendDelivery({ connections, resolve: resolveAt(server) }, `https://${NAME}/`, {}, "{}");
  assert.equal(gone.error, `the name ${NAME} has no address in DNS`);
  connections.close();
});

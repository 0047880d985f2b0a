import assert from "node:assert/strict";
import { test } from "node:test";
import { addBusiness } from "../features/businesses/actions.ts";
import { rotateReceiptKey } from "../features/receipts/actions.ts";
import { insertEndpoint } from "../features/webhooks/endpoints/queries.ts";
import { type KeyRing, newKeyRing, openSecret, sealingOf } from "../features/webhooks/sending/secret.ts";
import { sql } from "../store/sql.ts";
import { openTestDatabase } from "../store/testing.ts";
import { examineKeys, requireKeys, requireSealable, resealAll } from "./keyRotation.ts";
import type { Run } from "./run.ts";
import { checkKeys } from "./storage.ts";

test("a rotation of the keys moves everything that is sealed, and the old key can be removed after it", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const first = newKeyRing();
  const other = newKeyRing().keys.get(1)!;
  const both = (current: number): KeyRing => ({ current, keys: new Map([...first.keys, [2, other]]) });
  const second: KeyRing = { current: 2, keys: new Map([[2, other]]) };

  const { id: businessId } = await addBusiness(database, { kind: "service" }, "Shop");
  const tenant = { businessId, environment: "test" } as const;
  const issued = await insertEndpoint(database, first, tenant, {
    url: "https://hooks.shop-demo.com/",
    eventTypes: null,
  });
  await rotateReceiptKey(database, sealingOf(first));
  await database.rows(sql`
    insert into users (id, email, email_key, name, created_at, totp_secret)
    values ('usr_1', 'a@example.com', 'a@example.com', 'A', now(), ${sealingOf(first).seal("totp usr_1", "SECRET")})`);
  // While only some processes know the new key, the old one encrypts.
  await resealAll(database, both(1));
  assert.deepEqual((await examineKeys(database, first)).unreadable, []);
  await assert.rejects(requireKeys(database, second, log), /Webhook secrets are encrypted .* version 1\./);

  await resealAll(database, both(2));
  assert.deepEqual((await examineKeys(database, second)).unreadable, []);
  assert.deepEqual((await examineKeys(database, first)).missing, [2]);
  await requireKeys(database, second, log);
  assert.deepEqual(lines, []);
  const endpoint = await database.row<{ sealed: string }>(sql`select secret as sealed from webhook_endpoints`);
  assert.equal(openSecret(second, issued!.endpoint.id, endpoint!.sealed), issued!.secret);
  const user = await database.row<{ sealed: string }>(sql`select totp_secret as sealed from users`);
  assert.equal(sealingOf(second).open("totp usr_1", user!.sealed), "SECRET");
  const key = await database.row<{ id: string; sealed: string }>(
    sql`select id, sealed_secret as sealed from receipt_signing_keys`,
  );
  assert.ok(sealingOf(second).open(`receipt key ${key!.id}`, key!.sealed).length > 20);

  // The usual way to lose a key: another machine made one of the same number.
  const wrong: KeyRing = { current: 2, keys: new Map([[2, newKeyRing().keys.get(1)!]]) };
  assert.deepEqual((await examineKeys(database, wrong)).wrong, [2]);
  await assert.rejects(requireKeys(database, wrong, log), /Webhook secrets are .* version 2 opens none\./);
  await assert.rejects(requireSealable(database, wrong), /Nothing is encrypted with version 2/);
  const checkAs = (isWorker: boolean, ring: KeyRing) =>
    checkKeys({ isWorker } as Run, { database, slowDatabase: database }, ring);
  await assert.rejects(checkAs(true, wrong), /version 2 opens none/);
  for (const [ring, kept] of [
    [wrong, null],
    [second, second],
  ] as const)
    assert.equal(
      await checkAs(false, ring),
      kept,
      "a process that answers goes on, and seals nothing with a wrong key",
    );
  // A lost key has a successor of another number.
  await requireSealable(database, { current: 3, keys: new Map([[3, other]]) });

  await database.rows(sql`delete from webhook_endpoints`);
  await requireKeys(database, first, log);
  assert.match(lines[0]!, /^Stored secrets are encrypted .* version 2\./);
});

test("a secret that cannot be read is named, and every other one moves to the current key", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const first = newKeyRing();
  const ring: KeyRing = { current: 2, keys: new Map([...first.keys, [2, newKeyRing().keys.get(1)!]]) };
  const { id: businessId } = await addBusiness(database, { kind: "service" }, "Shop");
  const tenant = { businessId, environment: "test" } as const;
  const ids: string[] = [];
  for (const path of ["a", "b", "c"]) {
    const given = { url: `https://hooks.shop-demo.com/${path}`, eventTypes: null };
    ids.push((await insertEndpoint(database, first, tenant, given))!.endpoint.id);
  }
  ids.sort();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  await rotateReceiptKey(database, sealingOf(first));
  for (const user of ["usr_1", "usr_2"])
    await database.rows(sql`
      insert into users (id, email, email_key, name, created_at, totp_secret)
      values (${user}, ${user}, ${user}, 'A', now(), ${sealingOf(first).seal(`totp ${user}`, "SECRET")})`);
  // The first of each kind: what follows it would stay behind.
  await database.rows(sql`update webhook_endpoints set secret = 'v1.AAAA' where id = ${ids[0]!}`);
  await database.rows(sql`update users set totp_secret = ${sealingOf(first).seal("other", "X")} where id = 'usr_1'`);

  await assert.rejects(resealAll(database, ring), {
    message: `Secrets cannot be read: authenticator app of usr_1, endpoint ${ids[0]}.`,
  });
  const old = await database.rows<{ id: string }>(sql`
    select id from webhook_endpoints where secret like 'v1.%'
    union all select id from users where totp_secret like 'v1.%'
    union all select id from receipt_signing_keys where sealed_secret like 'v1.%'`);
  assert.deepEqual(
    old.map(({ id }) => id),
    [ids[0], "usr_1"],
  );
  // A start goes on without them, and says so.
  await requireKeys(database, ring, log);
  assert.deepEqual(lines, [`Stored secrets are not to be read: endpoint ${ids[0]}, authenticator app of usr_1.`]);
});

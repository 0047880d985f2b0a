import assert from "node:assert/strict";
import { test } from "node:test";
import { newLinkId } from "../../../domain/ids.ts";
import { Languages } from "../../../edge/buyer/languages.ts";
import { createServer } from "../../../edge/http/server.ts";
import { sql } from "../../../store/sql.ts";
import { openTestDatabase } from "../../../store/testing.ts";
import { testContext } from "../../testing.ts";
import type { BuyerContext } from "../context.ts";
import { ENGLISH } from "../languages/english.ts";
import { ReadLimit } from "../readLimit.ts";
import { registerLinkPage } from "./buyer.ts";
import type { SeenLink } from "./start.ts";

test("§13.21.3 one network starts 200 orders a day by one link, and other networks are not counted with it", async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  const { app } = createServer([]);
  const started: string[] = [];
  const links = {
    find: async (id: string) =>
      ({
        id,
        amount: "5",
        price: null,
        locale: null,
        business: { locale: null },
        seatsMax: null,
        paidSeats: 0,
        closedAt: null,
        expiresAt: null,
        now: new Date(),
      }) as SeenLink,
    start: async ({ id }: SeenLink) => {
      started.push(id);
      return { kind: "made", intentId: "pi_test_1" } as const;
    },
  };
  const limit = new ReadLimit("x-address");
  const ctx = testContext<BuyerContext>({
    database,
    checkoutUrl: "http://localhost",
    siteOperator: null,
    limit,
    languages: new Languages([ENGLISH]),
    bodyWaitMs: 5_000,
  });
  registerLinkPage(app, ctx, links);
  await app.listen({ host: "127.0.0.1", port: 0 });
  try {
    const tenant = { businessId: "biz_1", environment: "test" } as const;
    const [one, other] = [newLinkId(tenant, new Date()), newLinkId(tenant, new Date())];
    const press = async (address: string, link = one) => {
      const headers = { "x-address": address, "sec-fetch-site": "same-origin" };
      const body = new URLSearchParams();
      const answer = await fetch(`${app.localUrl}/pay/l/${link}`, {
        method: "POST",
        headers,
        body,
        redirect: "manual",
      });
      return { status: answer.status, wait: Number(answer.headers.get("retry-after")), text: await answer.text() };
    };
    /** As if the network had pressed so many times today, and not in this minute. */
    const pressed = (used: number) =>
      database.rows(sql`
        with a as (delete from checkout_rates where ends_at is null)
        update checkout_rates set used = ${used}::integer where ends_at is not null`);
    for (const [address, neighbour] of [
      ["10.0.0.1", null],
      ["2001:db8:1:1::1", "2001:db8:1:2::1"],
    ] as const) {
      await database.rows(sql`delete from checkout_rates`);
      assert.equal((await press(address)).status, 303);
      await pressed(199);
      assert.equal((await press(address)).status, 303, "the 200th");
      const refused = await press(address);
      assert.equal(refused.status, 429);
      assert.match(refused.text, /from your network today|Wait a minute/);
      assert.ok(refused.wait > 0 && refused.wait <= 86_400, String(refused.wait));
      assert.equal((await press(address, other)).status, 303, "another link");
      assert.equal((await press("10.0.0.2")).status, 303, "another network");
      if (neighbour !== null) assert.equal((await press(neighbour)).status, 303, "another household");
    }
    assert.equal(started.length, 9);
  } finally {
    app.server.closeAllConnections();
    await app.close();
  }
});

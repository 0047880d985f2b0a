import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { newWallet } from "@holdfast/devnet/wallets.ts";
import type { Browser } from "../../../tests/harness/staffBrowser.ts";
import { type StaffServer, startStaffServer } from "../../process/testing/staffServer.ts";
import { sql } from "../../store/sql.ts";
import { acceptOffer, makeOffer } from "./actions.ts";
import { findSignedOffer } from "./decision/queries.ts";
import { isSignedByBoth } from "./decision/signatures.ts";
import type { Dispute } from "./dispute.ts";
import { signText } from "./testing/cases.ts";
import { actNow, insertDispute, offerOfBuyer } from "./testing.ts";

// As the chain of the test server.
const [GENESIS, OPERATOR] = ["test", "operator"];
const [recipient, buyer] = [newWallet(), newWallet()];
let staff: StaffServer;
let business: string;
let member: Browser;
before(async () => {
  staff = await startStaffServer();
  business = await staff.addBusiness("shop", { [await staff.addUser("one@shop.example")]: "disputes" });
  member = await staff.signIn("one@shop.example");
});
after(() => staff?.[Symbol.asyncDispose]());

const pathOf = ({ businessId, id }: Dispute) => `/businesses/${businessId}/test/disputes/${id}`;
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

/** A case of a payment to this wallet, in which no member has a recent proof of identity. */
async function newCase(wallet: string = recipient.address): Promise<Dispute> {
  const dispute = await insertDispute(staff.database, { businessId: business, environment: "test" });
  await staff.database.rows(sql`
    update payments set recipient = ${wallet}, sender = ${buyer.address} where address = ${dispute.payment}`);
  await staff.age();
  return dispute;
}

const ask = (dispute: Dispute, body: object, browser = member) =>
  browser.post(`${pathOf(dispute)}/challenge`, { way: "message", ...body });
const sign = ({ json }: { json: { nonce: string; text: string } }, wallet = recipient) => ({
  nonce: json.nonce,
  signature: signText(wallet, json.text),
});
const reasonOf = ({ status, json }: { status: number; json: { error: { code: string; reason?: string } } }) =>
  `${status} ${json.error.reason ?? json.error.code}`;

/** The offer of a key, which the buyer's wallet accepts by `text`. */
async function offerOfKey(dispute: Dispute, total: string): Promise<string> {
  const key = { author: "key_1", authorKind: "key" } as const;
  const { offers } = await actNow(
    staff.database,
    dispute,
    makeOffer("merchant", key, { total, text: null, until: null }),
  );
  return offers.at(-1)!.id;
}

const checkBoth = async (dispute: Dispute, offer: string, total: string, to = recipient.address) => {
  const signed = await findSignedOffer(
    staff.database,
    { businessId: business, environment: "test" },
    dispute.id,
    offer,
  );
  const none = async (): Promise<never> => assert.fail("no chain is asked");
  const chain = { builder: { readSignedMemo: none }, reader: { nodes: 1, fetchTransaction: none } };
  const place = { genesisHash: GENESIS, operator: OPERATOR, payment: dispute.payment, total };
  return isSignedByBoth(chain, signed!, { ...place, sender: buyer.address, recipient: to });
};

/** What the buyer's wallet signs for an agreement, as far as the check of both sides reads it. */
const signedByBuyer = (dispute: Dispute, total: string, offer: string) => {
  const lines = [`Genesis: ${GENESIS}`, `Operator: ${OPERATOR}`, `Payment: ${dispute.payment}`];
  const text = [...lines, `Offer: ${offer}`, `Total: ${total}`].join("\n");
  return { acceptedText: text, acceptedSignature: signText(buyer, text) };
};

test("§13.20.4 the recipient's wallet makes an offer that binds, without a proof of identity", async () => {
  const dispute = await newCase();
  const terms = { total: "2500000", until: inHours(48) };
  assert.equal(reasonOf(await member.post(`${pathOf(dispute)}/offers`, terms)), "403 proof_required");
  const asked = await ask(dispute, { act: "merchant_offer", ...terms });
  assert.equal(asked.status, 200, asked.text);
  const { text } = asked.json as { text: string };
  for (const line of ["Host: dash.shop.example", "Total: 2500000", `Payment: ${dispute.payment}`])
    assert.ok(text.split("\n").includes(line), line);
  const made = await member.post(`${pathOf(dispute)}/offers`, { ...terms, text: "Half of it.", ...sign(asked) });
  assert.equal(made.status, 201, made.text);
  const [offer] = made.json.offers;
  assert.deepEqual([offer.by, offer.binding, offer.total], ["merchant", true, "2500000"]);
  const signed = signedByBuyer(dispute, "2500000", offer.id);
  const agreed = await actNow(staff.database, dispute, acceptOffer("buyer", offer.id, buyer.address, signed));
  assert.equal(agreed.status, "agreed");
  assert.equal(await checkBoth(dispute, offer.id, "2500000"), true);
  assert.equal(await checkBoth(dispute, offer.id, "2500000", newWallet().address), false, "another recipient");
  const [entry] = await staff.database.rows<{ details: string }>(sql`
    select details::text from audit_log where target = ${dispute.id} and action = 'dispute.offer_made'`);
  assert.match(entry!.details, new RegExp(recipient.address));
});

test("§13.20.4 the recipient's wallet confirms the offer of a key, and accepts the buyer's", async () => {
  const ofKey = await newCase();
  const offer = await offerOfKey(ofKey, "5");
  const path = `${pathOf(ofKey)}/offers/${offer}/confirm`;
  await actNow(staff.database, ofKey, acceptOffer("buyer", offer, buyer.address, signedByBuyer(ofKey, "5", offer)));
  assert.equal(await checkBoth(ofKey, offer, "5"), false, "nobody has confirmed it");
  const confirmed = await member.post(path, sign(await ask(ofKey, { act: "merchant_confirm", offer })));
  assert.equal(confirmed.json.status, "agreed", confirmed.text);
  assert.equal(await checkBoth(ofKey, offer, "5"), true);
  await assert.rejects(
    staff.database.rows(sql`update dispute_offers set confirmed_signature = null where id = ${offer}`),
    /dispute_offers_confirmed/,
  );
  // A record changed in the database binds nobody.
  const forged = signText(newWallet(), "Holdfast");
  await staff.database.rows(sql`update dispute_offers set confirmed_signature = ${forged} where id = ${offer}`);
  assert.equal(await checkBoth(ofKey, offer, "5"), false);

  const ofBuyer = await newCase();
  const theirs = await offerOfBuyer(staff.database, ofBuyer, "7");
  const asked = await ask(ofBuyer, { act: "merchant_accept", offer: theirs });
  const accepted = await member.post(`${pathOf(ofBuyer)}/offers/${theirs}/accept`, sign(asked));
  assert.equal(accepted.json.status, "agreed", accepted.text);
});

test("§13.20.4 a signature counts once, of the recipient, in the session that asked, for this act, case and terms", async () => {
  const dispute = await newCase();
  const offer = await offerOfBuyer(staff.database, dispute, "7");
  const accept = (body: object, browser = member) => browser.post(`${pathOf(dispute)}/offers/${offer}/accept`, body);
  const asked = await ask(dispute, { act: "merchant_accept", offer });
  const proof = sign(asked);
  const second = await staff.signIn("one@shop.example");
  await staff.age();
  const other = await newCase();
  const otherOffer = await offerOfBuyer(staff.database, other, "7");
  for (const [what, answer] of [
    ["another wallet", await accept(sign(asked, newWallet()))],
    ["the buyer's wallet", await accept(sign(asked, buyer))],
    ["another session of the member", await accept(proof, second)],
    ["another case", await member.post(`${pathOf(other)}/offers/${otherOffer}/accept`, proof)],
    ["another act", await member.post(`${pathOf(dispute)}/offers`, { total: "7", until: inHours(24), ...proof })],
    ["another text", await accept({ ...proof, signature: signText(recipient, `${asked.json.text} `) })],
    [
      "another host",
      await accept({ ...proof, signature: signText(recipient, asked.json.text.replace("dash", "evil")) }),
    ],
    ["no signature", await accept({ nonce: proof.nonce })],
    ["a transaction in place of a message", await accept({ nonce: proof.nonce, transaction: proof.signature })],
  ] as const)
    assert.equal(reasonOf(answer), "409 signature_refused", what);
  assert.equal(reasonOf(await accept({ signature: proof.signature })), "403 proof_required", "no nonce");

  // The amounts changed between the challenge and the act: a refund was bound meanwhile.
  await staff.database.rows(sql`update disputes set refund_total = 3 where id = ${dispute.id}`);
  assert.equal(reasonOf(await accept(proof)), "409 signature_refused", "the terms have changed");
  await staff.database.rows(sql`update disputes set refund_total = 0 where id = ${dispute.id}`);
  const both = await Promise.all([accept(proof), accept(proof)]);
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409], "once");
  assert.match(reasonOf(await accept(proof)), /409/);

  const gone = await newCase();
  const goneOffer = await offerOfBuyer(staff.database, gone, "7");
  const ofGone = sign(await ask(gone, { act: "merchant_accept", offer: goneOffer }));
  await staff.database.rows(sql`delete from payments where address = ${gone.payment}`);
  const taken = await member.post(`${pathOf(gone)}/offers/${goneOffer}/accept`, ofGone);
  assert.equal(reasonOf(taken), "409 signature_refused", "a fork took the payment");

  const old = await newCase();
  const oldOffer = await offerOfBuyer(staff.database, old, "7");
  const late = sign(await ask(old, { act: "merchant_accept", offer: oldOffer }));
  await staff.database.rows(sql`
    update dispute_challenges set created_at = created_at - interval '11 minutes', expires_at = expires_at - interval '11 minutes'`);
  assert.equal(reasonOf(await member.post(`${pathOf(old)}/offers/${oldOffer}/accept`, late)), "409 signature_refused");
});

test("§13.20.4 a smart wallet signs no text, and an offer needs its amount and end", async () => {
  // The address of an account without a key.
  const smart = await newCase("HdRW1Kzpw1VgTpmr3C4aK6Kg6bSb9NmUY2Lx2nNvbUfe");
  const offer = await offerOfBuyer(staff.database, smart, "7");
  const refused = await ask(smart, { act: "merchant_accept", offer });
  assert.equal(reasonOf(refused), "409 signature_refused");
  assert.match(refused.text, /Confirm with a recent proof of identity instead/);
  const dispute = await newCase();
  for (const [body, param] of [
    [{ act: "merchant_offer", until: inHours(24) }, "total"],
    [{ act: "merchant_offer", total: "1" }, "until"],
    [{ act: "open_session" }, "act"],
    [{ act: "merchant_offer", way: "memo" }, "way"],
  ] as const)
    assert.equal((await ask(dispute, body)).json.error.param, param);
  const unknown = `of_test_${"0".repeat(36)}`;
  assert.equal((await ask(dispute, { act: "merchant_accept", offer: unknown })).status, 404);
});

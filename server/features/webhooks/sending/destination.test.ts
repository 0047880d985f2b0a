import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { DestinationError, readDestination } from "./destination.ts";

test("§6.1.5 a public https name on port 443 is accepted, and normalised", () => {
  for (const [given, url] of [
    ["https://shop.com/hooks", "https://shop.com/hooks"],
    ["https://shop.com", "https://shop.com/"],
    ["https://shop.com:443/hooks?a=1&b=%20", "https://shop.com/hooks?a=1&b=%20"],
    ["HTTPS://Hooks.SHOP.co.uk/Path", "https://hooks.shop.co.uk/Path"],
    ["https://bücher.de/x", "https://xn--bcher-kva.de/x"],
    ["https://shop.com/@user", "https://shop.com/@user"],
    ["https://a.b.c.d.shop.io/", "https://a.b.c.d.shop.io/"],
    ["https://my-app.herokuapp.com/", "https://my-app.herokuapp.com/"],
  ] as const)
    assert.equal(readDestination(given).url, url);
  assert.equal(readDestination("https://shop.com/hooks?shop=1").path, "/hooks?shop=1");
});

const TRICKS = [
  ["", "an empty text"],
  ["shop.com", "no scheme"],
  ["http://shop.com/", "http"],
  ["ftp://shop.com/", "ftp"],
  ["javascript:alert(1)", "a script"],
  ["https:shop.com", "no slashes"],
  ["https:///shop.com", "three slashes"],
  ["https:\\\\shop.com", "backslashes"],
  ["https://shop.com\\@evil.com/", "a backslash in the authority"],
  ["https://shop.com:8443/", "another port"],
  ["https://shop.com:80/", "port 80"],
  ["https://user@shop.com/", "a user"],
  ["https://user:secret@shop.com/", "credentials"],
  ["https://@shop.com/", "empty credentials"],
  ["https://:@shop.com/", "empty user and password"],
  ["https://shop.com/#part", "a fragment"],
  ["https://shop.com/#", "an empty fragment"],
  [" https://shop.com/", "a leading space"],
  ["https://shop.com/ ", "a trailing space"],
  ["https://shop\t.com/", "a tab that parsers drop"],
  ["https://shop\n.com/", "a line feed that parsers drop"],
  ["https://sh op.com/", "a space in the name"],
  ["https://127.0.0.1/", "loopback"],
  ["https://8.8.8.8/", "a public IPv4 address"],
  ["https://127.1/", "a short IPv4 address"],
  ["https://0x7f.1/", "a hexadecimal IPv4 address"],
  ["https://0177.0.0.1/", "an octal IPv4 address"],
  ["https://2130706433/", "IPv4 as one number"],
  ["https://127.0.0.1./", "IPv4 with a dot after it"],
  ["https://１２７.０.０.１/", "IPv4 in full-width digits"],
  ["https://[::1]/", "IPv6 loopback"],
  ["https://[2606:4700:4700::1111]/", "a public IPv6 address"],
  ["https://[::ffff:127.0.0.1]/", "IPv4 inside IPv6"],
  ["https://[fe80::1%25eth0]/", "IPv6 with a zone"],
  ["https://localhost/", "localhost"],
  ["https://LOCALHOST/", "localhost in capitals"],
  ["https://shop.localhost/", "below localhost"],
  ["https://intranet/", "a single label"],
  ["https://com/", "a top-level domain"],
  ["https://co.uk/", "a public suffix"],
  ["https://db.internal/", ".internal"],
  ["https://metadata.google.internal/", "a metadata service"],
  ["https://printer.local/", ".local"],
  ["https://nas.lan/", ".lan"],
  ["https://router.home.arpa/", ".home.arpa"],
  ["https://1.0.0.127.in-addr.arpa/", ".arpa"],
  ["https://hidden.onion/", ".onion"],
  ["https://shop.test/", ".test"],
  ["https://shop.example/", ".example"],
  ["https://shop.invalid/", ".invalid"],
  ["https://svc.cluster.local/", "a cluster's name"],
  ["https://host.corp/", "a private suffix"],
  ["https://shop.unknowntld/", "an unknown top-level domain"],
  ["https://shop.com./", "a trailing dot"],
  ["https://shop..com/", "an empty label"],
  ["https://-shop.com/", "a label that starts with a hyphen"],
  ["https://%31%32%37.0.0.1/", "a percent-encoded address"],
  ["https://l%6Fcalhost/", "percent-encoded localhost"],
  ["https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/", "localhost in circled letters"],
  ["https://127。0。0。1/", "an address with ideographic dots"],
  [`https://${"a".repeat(64)}.com/`, "a label of 64 characters"],
  [`https://${"a.".repeat(126)}com/`, "a name of 255 characters"],
  [`https://shop.com/${"a".repeat(2048)}`, "more than 2,048 characters"],
  [`https://shop.com/${"ü".repeat(500)}`, "more than 2,048 characters once encoded"],
] as const;

for (const [url, why] of TRICKS)
  test(`§6.1.5 refused: ${why}`, () => {
    assert.throws(() => readDestination(url), DestinationError);
  });

test("§6.1.5 an address of one's own machine is told what forwards events to it", () => {
  for (const url of ["http://localhost:3000/hooks", "http://127.0.0.1/", "https://shop.localhost/"])
    assert.throws(() => readDestination(url), /holdfast listen/);
});

test("§6.1.5 whatever the text, it is refused or leads to https, a name and port 443", () => {
  const piece = fc.constantFrom(
    "https://",
    "http://",
    "shop.com",
    "localhost",
    "127.0.0.1",
    "[::1]",
    "@",
    ":",
    "443",
    "/",
    "\\",
    "#",
    "?",
    "%00",
    ".",
    "\t",
    "0x7f",
    "ü",
    "。",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 8 }), (pieces) => {
      let read: ReturnType<typeof readDestination>;
      try {
        read = readDestination(pieces.join(""));
      } catch (error) {
        assert.ok(error instanceof DestinationError);
        return;
      }
      const url = new URL(read.url);
      assert.deepEqual([url.protocol, url.port, url.username, url.password, url.hash], ["https:", "", "", "", ""]);
      assert.match(url.hostname, /^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/);
      assert.match(url.hostname, /[a-z]/);
      assert.equal(readDestination(read.url).url, read.url);
    }),
    { numRuns: 5_000 },
  );
});

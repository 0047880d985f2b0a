import assert from "node:assert/strict";
import { test } from "node:test";
import { addressesOf, canOpenApps } from "./walletApps.ts";

const webkit = (rest: string) => `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) ${rest}`;

test("§12.12 apps are offered by Chromium on Android, and by no view inside an app or another browser", () => {
  for (const [userAgent, can] of [
    [webkit("Chrome/153.0.0.0 Mobile Safari/537.36"), true],
    [webkit("Chrome/153.0.0.0 Mobile Safari/537.36 EdgA/153.0.0.0"), true],
    [webkit("SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36"), true],
    [webkit("Version/4.0 Chrome/153.0.0.0 Mobile Safari/537.36"), false],
    ["Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UD1A; wv) AppleWebKit/537.36 Chrome/153.0.0.0 Mobile", false],
    [webkit("Chrome/153.0.0.0 Mobile Safari/537.36 Phantom/android"), false],
    ["Mozilla/5.0 (Android 14; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0", false],
    ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 CriOS/153.0.0.0 Mobile", false],
    ["Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36", false],
    ["", false],
  ] as const)
    assert.equal(canOpenApps(userAgent), can, userAgent);
});

test("§12.12 a page may connect to its ports alone, at the protocol's path", () => {
  assert.deepEqual(addressesOf({ ports: [50_000], identity: { name: "Shop", icon: "pay/icon.svg" } }), [
    "ws://localhost:50000/solana-wallet",
    "http://localhost:50000/solana-wallet",
  ]);
});

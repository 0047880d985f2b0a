import { test } from "node:test";
import { getBase58Decoder } from "@solana/kit";
import fc from "fast-check";
import { isAddress, isSignature } from "./addresses.ts";

const base58 = getBase58Decoder();
const textOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((some) => base58.decode(some));

test("§2.1 an address is base58 of 32 bytes, on the curve or off it", () => {
  fc.assert(fc.property(textOf(32), (text) => isAddress(text) && !isSignature(text)));
  fc.assert(fc.property(fc.constantFrom(0, 1, 31, 33, 64).chain(textOf), (text) => !isAddress(text)));
});

test("§4.5 a signature is base58 of 64 bytes", () => {
  fc.assert(fc.property(textOf(64), (text) => isSignature(text) && !isAddress(text)));
  fc.assert(fc.property(fc.constantFrom(0, 1, 32, 63, 65).chain(textOf), (text) => !isSignature(text)));
  fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => !isSignature(`${text}0`) && !isSignature(`${text}l`)));
});

import { zstdCompressSync } from "node:zlib";
import { fromBase58, toBase58 } from "../ledger/base58.ts";
import { u64 } from "../ledger/numbers.ts";
import { readTokenAccount } from "../ledger/tokens.ts";
import type { Image } from "../ledger/vm.ts";
import { invalidParams, RPC_CODES, RpcError } from "./errors.ts";
import { type Config, readAddress, readChoice, readInteger } from "./params.ts";
import { showParsed } from "./parsed.ts";
import type { Methods, View } from "./view.ts";

const ENCODINGS = ["binary", "base58", "base64", "base64+zstd", "jsonParsed"] as const;
const BASE58_BYTES_MAX = 128;
const ACCOUNTS_MAX = 100;
const FILTERS_MAX = 4;
const RENT_EPOCH = u64(2n ** 64n - 1n);

/** The form in which the caller wants accounts: their encoding and a slice of their data. */
export interface AccountShape {
  readonly encoding: (typeof ENCODINGS)[number];
  readonly slice: { readonly offset: number; readonly length: number } | null;
}

export function readShape(config: Config, byDefault: AccountShape["encoding"] = "binary"): AccountShape {
  const encoding = readChoice(config, "encoding", ENCODINGS, byDefault);
  const slice = config.dataSlice as Config | null | undefined;
  if (!slice) return { encoding, slice: null };
  return {
    encoding,
    slice: { offset: readInteger(slice.offset, "usize"), length: readInteger(slice.length, "usize") },
  };
}

export function showAccount(view: View, image: Image, { encoding, slice }: AccountShape, slot: number) {
  const data = slice ? image.data.subarray(slice.offset, slice.offset + slice.length) : image.data;
  return {
    lamports: u64(image.lamports),
    data: showData(view, image, data, encoding, slot),
    owner: image.owner,
    executable: image.executable,
    rentEpoch: RENT_EPOCH,
    space: image.data.length,
  };
}

function showData(view: View, image: Image, data: Uint8Array, encoding: AccountShape["encoding"], slot: number) {
  const base64 = () => [Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64"), "base64"];
  if (encoding === "base64") return base64();
  if (encoding === "jsonParsed") return showParsed(image, (mint) => view.account(mint, slot)) ?? base64();
  if (encoding === "base64+zstd") return [zstdCompressSync(data).toString("base64"), encoding];
  if (data.length > BASE58_BYTES_MAX) {
    throw new RpcError(
      RPC_CODES.invalidRequest,
      "Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.",
    );
  }
  return encoding === "base58" ? [toBase58(data), encoding] : toBase58(data);
}

const show = (view: View, address: string, shape: AccountShape, slot: number) => {
  const image = view.account(address, slot);
  return image && showAccount(view, image, shape, slot);
};

type Filter = (image: Image) => boolean;

function readFilter(raw: unknown): Filter {
  const filter = (raw ?? {}) as { dataSize?: unknown; memcmp?: Config; tokenAccountState?: unknown };
  if (raw === "tokenAccountState" || "tokenAccountState" in filter) return (image) => readTokenAccount(image) !== null;
  if (filter.dataSize !== undefined) {
    const size = readInteger(filter.dataSize, "u64");
    return ({ data }) => data.length === size;
  }
  if (!filter.memcmp) throw invalidParams("Invalid params: unknown filter.");
  const offset = readInteger(filter.memcmp.offset, "usize");
  const { bytes, encoding } = filter.memcmp;
  const wanted =
    typeof bytes !== "string" ? null : encoding === "base64" ? Buffer.from(bytes, "base64") : fromBase58(bytes);
  if (!wanted || wanted.length > BASE58_BYTES_MAX)
    throw invalidParams("Invalid param: Memcmp bytes are invalid or too large");
  return ({ data }) => Buffer.compare(data.subarray(offset, offset + wanted.length), wanted) === 0;
}

export const accountMethods: Methods = {
  getAccountInfo: {
    params: 2,
    answer(view, params) {
      const address = params.address(0);
      const config = params.config(1);
      const slot = view.slotFor(config);
      return view.withContext(slot, show(view, address, readShape(config), slot));
    },
  },
  getMultipleAccounts: {
    params: 2,
    answer(view, params) {
      const addresses = params.strings(0, ACCOUNTS_MAX).map(readAddress);
      const config = params.config(1);
      const slot = view.slotFor(config);
      const shape = readShape(config, "base64");
      return view.withContext(
        slot,
        addresses.map((address) => show(view, address, shape, slot)),
      );
    },
  },
  getProgramAccounts: {
    params: 2,
    answer(view, params) {
      const program = params.address(0);
      const config = params.config(1);
      const raw = config.filters ?? [];
      if (!Array.isArray(raw)) throw invalidParams("Invalid params: invalid type, expected a list of filters.");
      if (raw.length > FILTERS_MAX) throw invalidParams(`Too many filters provided; max ${FILTERS_MAX}`);
      const filters = raw.map(readFilter);
      const slot = view.slotFor(config);
      const shape = readShape(config);
      const found = view.ledger
        .ownedAt(program, slot)
        .filter(
          ([address, image]) => !view.distortion.ignorantOf.has(address) && filters.every((filter) => filter(image)),
        )
        .map(([pubkey, image]) => ({ pubkey, account: showAccount(view, image, shape, slot) }));
      return config.withContext === true ? view.withContext(slot, found) : found;
    },
  },
  getBalance: {
    params: 2,
    answer(view, params) {
      const address = params.address(0);
      const slot = view.slotFor(params.config(1));
      return view.withContext(slot, u64(view.account(address, slot)?.lamports ?? 0n));
    },
  },
  getMinimumBalanceForRentExemption: {
    params: 2,
    answer: (view, params) => u64(view.ledger.rent(params.integer(0))),
  },
};

import { readFileSync } from "node:fs";
import { type Address, getAddressDecoder, getAddressEncoder, getProgramDerivedAddress } from "@solana/kit";

/** The parts of Codama's format that the file uses. */
type TypeNode =
  | { readonly kind: "numberTypeNode"; readonly format: "u8" | "u64" | "i64" }
  | { readonly kind: "publicKeyTypeNode" }
  | { readonly kind: "fixedSizeTypeNode"; readonly size: number }
  | { readonly kind: "definedTypeLinkNode"; readonly name: string };

interface Field {
  readonly name: string;
  readonly type: TypeNode;
  readonly defaultValue?: { readonly number: number };
}

export interface Idl {
  readonly program: {
    readonly publicKey: Address;
    readonly version: string;
    readonly accounts: readonly { name: string; size: number; data: { fields: readonly Field[] } }[];
    readonly instructions: readonly {
      name: string;
      accounts: readonly {
        name: string;
        isWritable: boolean;
        isSigner: boolean | "either";
        defaultValue?: { publicKey: Address };
      }[];
      arguments: readonly Field[];
      remainingAccounts?: readonly unknown[];
    }[];
    readonly definedTypes: readonly {
      name: string;
      type: { variants: readonly { name: string; discriminator: number }[] };
    }[];
    readonly pdas: readonly {
      name: string;
      seeds: readonly { kind: string; name: string; type: TypeNode; value: { string: string } }[];
    }[];
    readonly errors: readonly { name: string; code: number; message: string }[];
  };
}

export const idl: Idl = JSON.parse(readFileSync(new URL("../idl.json", import.meta.url), "utf8"));

const SIZES = { u8: 1, u64: 8, i64: 8 } as const;

/** Reads bytes by the description alone; every byte must have its field, and every constant its value. */
export function readFields(fields: readonly Field[], bytes: Uint8Array): Record<string, unknown> {
  let at = 0;
  const take = (size: number) => {
    at += size;
    return bytes.subarray(at - size, at);
  };
  const values = fields.map(({ name, type, defaultValue }) => {
    const value = readValue(type, take);
    if (defaultValue !== undefined && value !== defaultValue.number) throw new Error(`${name} is ${value}`);
    return [name, value] as const;
  });
  if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes have no field`);
  return Object.fromEntries(values);
}

function readValue(type: TypeNode, take: (size: number) => Uint8Array): unknown {
  switch (type.kind) {
    case "numberTypeNode": {
      const bytes = take(SIZES[type.format]);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      if (type.format === "u8") return view.getUint8(0);
      return type.format === "u64" ? view.getBigUint64(0, true) : view.getBigInt64(0, true);
    }
    case "publicKeyTypeNode":
      return getAddressDecoder().decode(take(32));
    case "fixedSizeTypeNode":
      return Buffer.from(take(type.size)).toString("hex");
    case "definedTypeLinkNode": {
      const defined = idl.program.definedTypes.find(({ name }) => name === type.name);
      const [number] = take(1);
      const variant = defined?.type.variants.find(({ discriminator }) => discriminator === number);
      if (variant === undefined) throw new Error(`${type.name} has no number ${number}`);
      return variant.name;
    }
  }
}

/** The derived address of these seeds, by the description alone. */
export async function deriveAddress(
  name: string,
  programAddress: Address,
  values: Readonly<Record<string, Address | bigint>>,
): Promise<Address> {
  const { seeds } = idl.program.pdas.find((one) => one.name === name)!;
  const bytes = seeds.map((seed) => {
    if (seed.kind === "constantPdaSeedNode") return seed.value.string;
    const value = values[seed.name]!;
    if (typeof value === "string") return getAddressEncoder().encode(value);
    const number = new Uint8Array(8);
    new DataView(number.buffer).setBigUint64(0, value, true);
    return number;
  });
  const [address] = await getProgramDerivedAddress({ programAddress, seeds: bytes });
  return address;
}

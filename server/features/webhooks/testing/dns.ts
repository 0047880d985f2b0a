import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

/** The answers for a name, by record type. A number is a failure: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. Null is no answer at all. */
export interface Records {
  readonly A?: readonly string[] | number | null;
  readonly AAAA?: readonly string[] | number | null;
  readonly TXT?: readonly string[] | number | null;
  /** A chain of aliases before the addresses. */
  readonly aliases?: readonly string[];
}

export interface NameServer extends AsyncDisposable {
  readonly port: number;
  readonly asked: string[];
  records: Records;
}

const TYPES = new Map([
  [1, "A"],
  [16, "TXT"],
  [28, "AAAA"],
] as const);
const CNAME = 5;
const CLASS_IN = 1;
const NXDOMAIN = 3;
/** An hour, so that a resolver with a cache would fail a test. */
const TTL = Buffer.from([0, 0, 0x0e, 0x10]);
// Answer, recursion desired and available.
const FLAGS = 0x8180;

const nameOf = (name: string): Buffer =>
  Buffer.concat([...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)]);

const word = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);

const record = (name: string, type: number, data: Buffer): Buffer =>
  Buffer.concat([nameOf(name), word(type), word(CLASS_IN), TTL, word(data.length), data]);

/** 16 bytes of an address written without dots; "::" once. */
function bytesOf(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [left = "", right = ""] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [
    ...groups(left),
    ...Array.from({ length: address.includes("::") ? missing : 0 }, () => "0"),
    ...groups(right),
  ];
  return Buffer.concat(all.map((group) => word(Number.parseInt(group, 16))));
}

/** A text in pieces of at most 255 bytes, each after its length. */
function piecesOf(text: string): Buffer {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 255) {
    const piece = bytes.subarray(at, at + 255);
    pieces.push(Buffer.from([piece.length]), piece);
  }
  return Buffer.concat(pieces);
}

/** A DNS server on loopback (UDP, RFC 1035) with the same answer for every name. */
export async function startNameServer(records: Records): Promise<NameServer> {
  const socket = createSocket("udp4");
  const server: NameServer = {
    port: 0,
    asked: [],
    records,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on("message", (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const labels: string[] = [];
    for (let at = 12; query[at] !== 0; at += query[at]! + 1)
      labels.push(query.toString("latin1", at + 1, at + 1 + query[at]!));
    const name = labels.join(".");
    const code = query.readUInt16BE(end - 4);
    const type = TYPES.get(code as 1 | 16 | 28);
    server.asked.push(`${type} ${name}`);
    const said = type === undefined ? NXDOMAIN : (server.records[type] ?? (server.records[type] === null ? null : []));
    if (said === null) return;
    const chain = [name, ...(server.records.aliases ?? [])];
    const answers =
      typeof said === "number"
        ? []
        : [
            ...chain.slice(1).map((alias, index) => record(chain[index]!, CNAME, nameOf(alias))),
            ...said.map((one) => record(chain.at(-1)!, code, type === "TXT" ? piecesOf(one) : bytesOf(one))),
          ];
    const head = [
      query.subarray(0, 2),
      word(FLAGS | (typeof said === "number" ? said : 0)),
      word(1),
      word(answers.length),
      word(0),
      word(0),
    ];
    socket.send(Buffer.concat([...head, query.subarray(12, end), ...answers]), peer.port, peer.address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return Object.assign(server, { port: (socket.address() as AddressInfo).port });
}

import { closeSync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";

/** The position of a record in the file. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** The file is damaged in a place where no crash can have damaged it. */
export class LogCorruptError extends Error {
  override readonly name = "LogCorruptError";
}

const READ_BYTES = 4 * 1024 * 1024;
const NEWLINE = 10;

/**
 * The append-only log: a line per record, `crc32 head [TAB body]`, both JSON. The index needs the head at start; the body is
 * read again only on request. Appended records are safe once sync() has returned.
 */
export class Log {
  readonly #file: number;
  #written = 0;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #unsynced = false;

  constructor(path: string) {
    this.#file = openSync(path, "a+", 0o600);
  }

  /** The offset the next record will have. */
  get end(): number {
    return this.#written + this.#waitingBytes;
  }

  /** Bytes in the file. */
  get size(): number {
    return fstatSync(this.#file).size;
  }

  append(head: unknown, body?: unknown): Place {
    const text = body === undefined ? JSON.stringify(head) : `${JSON.stringify(head)}\t${JSON.stringify(body)}`;
    const line = Buffer.from(`${crc32(text).toString(16).padStart(8, "0")} ${text}\n`);
    const place = { offset: this.end, length: line.length };
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    return place;
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
    this.#written += bytes.length;
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#unsynced = true;
  }

  sync(): void {
    this.#flush();
    if (this.#unsynced) fdatasyncSync(this.#file);
    this.#unsynced = false;
  }

  /** The body of a record that scan() or append() placed. */
  readBody(place: Place): unknown {
    this.#flush();
    const bytes = Buffer.alloc(place.length);
    readSync(this.#file, bytes, 0, place.length, place.offset);
    const text = bytes.toString("utf8", 0, place.length - 1);
    return JSON.parse(text.slice(text.indexOf("\t") + 1));
  }

  /**
   * Reads the file from its start and cuts off a torn tail. A bad line is a torn tail only while fewer than two slots were
   * synced behind it: the file is synced once a slot, so a crash spoils the last one at most.
   */
  scan(record: (head: unknown, body: () => unknown, place: Place) => void): void {
    let torn: number | null = null;
    let syncedBehind = 0;
    for (const { line, offset } of this.#lines()) {
      const text = checkedText(line);
      if (torn !== null) {
        if (text?.startsWith('{"t":"slot"') && ++syncedBehind > 1)
          throw new LogCorruptError(`the ledger's log is damaged at byte ${torn}`);
        continue;
      }
      if (text === null) {
        torn = offset;
        continue;
      }
      const tab = text.indexOf("\t");
      const head: unknown = JSON.parse(tab < 0 ? text : text.slice(0, tab));
      record(head, () => JSON.parse(text.slice(tab + 1)), { offset, length: line.length + 1 });
      this.#written = offset + line.length + 1;
    }
    if (this.#written < this.size) ftruncateSync(this.#file, this.#written);
  }

  /** Every line, the last one also when its newline is missing: it then fails its check, since a whole record ends in one. */
  *#lines(): Generator<{ line: Buffer; offset: number }> {
    const chunk = Buffer.alloc(READ_BYTES);
    let rest: Buffer = Buffer.alloc(0);
    let offset = 0;
    for (let position = 0; ; ) {
      const count = readSync(this.#file, chunk, 0, READ_BYTES, position);
      if (count === 0) break;
      position += count;
      const bytes: Buffer = rest.length
        ? Buffer.concat([rest, chunk.subarray(0, count)])
        : Buffer.from(chunk.subarray(0, count));
      let from = 0;
      for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
        yield { line: bytes.subarray(from, to), offset };
        offset += to + 1 - from;
        from = to + 1;
      }
      rest = bytes.subarray(from);
    }
    if (rest.length > 0) yield { line: Buffer.alloc(0), offset };
  }

  close(): void {
    this.sync();
    closeSync(this.#file);
  }
}

function checkedText(line: Buffer): string | null {
  if (line.length < 10 || line[8] !== 32) return null;
  const sum = Number.parseInt(line.toString("latin1", 0, 8), 16);
  return sum === crc32(line.subarray(9)) ? line.toString("utf8", 9) : null;
}

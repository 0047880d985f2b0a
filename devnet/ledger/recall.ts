import type { Failure } from "./failures.ts";
import { History } from "./history.ts";
import { type Log, LogCorruptError, type Place } from "./log.ts";
import { readSnapshot } from "./snapshot.ts";
import { readStoredImage, type StoredImage, Vm } from "./vm.ts";

export interface TransactionHead {
  readonly t: "tx";
  readonly sig: string;
  readonly slot: number;
  readonly time: number;
  readonly err: Failure | null;
  readonly memo: string | null;
  readonly keys: readonly string[];
}

type Head =
  | { readonly t: "genesis"; readonly version: 1; readonly hash: string; readonly accounts: readonly StoredImage[] }
  | TransactionHead
  | { readonly t: "slot"; readonly slot: number; readonly time: number; readonly blockhash: string }
  | { readonly t: "clock"; readonly offset: number }
  | { readonly t: "alpenglow"; readonly slot: number }
  | { readonly t: "rent"; readonly lamportsPerByte: number }
  | { readonly t: "drop"; readonly signatures: readonly string[]; readonly images: readonly StoredImage[] };

/** A chain as its log holds it. */
export interface Past {
  readonly genesisHash: string;
  readonly vm: Vm;
  readonly history: History;
  readonly slot: number;
  readonly times: readonly (readonly [slot: number, time: number])[];
  readonly offsetMs: number;
  readonly alpenglowSlot: number | null;
  /** The number of transactions that were put back one by one, because no newer snapshot exists. */
  readonly replayed: number;
}

interface Genesis {
  readonly genesis: (rent: (space: number) => bigint) => {
    readonly hash: string;
    readonly accounts: readonly StoredImage[];
  };
}

/**
 * Rebuilds machine and index. The log holds the result of each transaction, so nothing is executed again: the state comes
 * back the same even if programs have changed since. An empty log begins a new chain.
 */
export function recall(log: Log, snapshotPath: string, { genesis }: Genesis): Past {
  const history = new History();
  const times: [number, number][] = [];
  const found = readSnapshot(snapshotPath);
  const snapshot = found && found.offset <= log.size ? found : null;
  let vm = snapshot && machineOf(snapshot.machine);
  let from = vm && snapshot ? snapshot.offset : 0;
  let genesisHash: string | null = null;
  let slot = 0;
  let offsetMs = 0;
  let alpenglowSlot: number | null = null;
  let rentRate: number | null = null;
  let replayed = 0;

  const write = (images: readonly StoredImage[]) => {
    for (const stored of images) vm!.write(...readStoredImage(stored));
  };
  log.scan((line, body, place: Place) => {
    const head = line as Head;
    const isNew = place.offset >= from;
    if (head.t === "genesis") {
      genesisHash = head.hash;
      if (vm && snapshot?.genesisHash === head.hash) return;
      vm = Vm.fresh();
      from = 0;
      write(head.accounts);
    } else if (head.t === "tx") {
      history.add(
        { signature: head.sig, slot: head.slot, time: head.time, failure: head.err, memo: head.memo, place },
        head.keys,
      );
      slot = Math.max(slot, head.slot);
      if (!isNew) return;
      write((body() as { after: StoredImage[] }).after);
      replayed++;
    } else if (head.t === "slot") {
      slot = Math.max(slot, head.slot);
      if (times.at(-1)?.[1] !== head.time) times.push([head.slot, head.time]);
    } else if (head.t === "clock") offsetMs = head.offset;
    else if (head.t === "alpenglow") alpenglowSlot = head.slot;
    else if (head.t === "rent") rentRate = head.lamportsPerByte;
    else if (head.t === "drop") {
      history.remove(head.signatures);
      if (isNew) write(head.images);
    }
  });
  if (vm && rentRate !== null) vm.setRentRate(rentRate);
  if (genesisHash !== null && vm) return { genesisHash, vm, history, slot, times, offsetMs, alpenglowSlot, replayed };
  if (log.end > 0) throw new LogCorruptError("the ledger's log does not begin with a genesis");

  vm = Vm.fresh();
  const { hash, accounts } = genesis(vm.rent);
  log.append({ t: "genesis", version: 1, hash, accounts });
  log.sync();
  write(accounts);
  return { genesisHash: hash, vm, history, slot: 0, times, offsetMs: 0, alpenglowSlot, replayed: 0 };
}

/** Returns null when this version of the machine cannot read the snapshot: the log is then replayed from its start. */
function machineOf(bytes: Uint8Array): Vm | null {
  try {
    return Vm.fromBytes(bytes);
  } catch {
    return null;
  }
}

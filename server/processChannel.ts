import type pg from "pg";
import type { ChainSettings } from "./config.ts";
import type { ReadFigures } from "./edge/metrics.ts";

/** What an API process is told at its start, beside the settings, which it reads itself. */
export interface Beginning {
  /** `api-1`, `api-2` …: what its figures are labelled with. A successor has the name of the one that ended. */
  readonly name: string;
  readonly processes: number;
  readonly connection: pg.ClientConfig;
  readonly chains: readonly (ChainSettings & { readonly genesisHash: string })[];
  readonly isLocal: boolean;
}

/** What the main process and its API processes say to each other, as JSON, over the channel between them. */
export type Message =
  | { readonly type: "hello" }
  | ({ readonly type: "begin" } & Beginning)
  | { readonly type: "listening" }
  | { readonly type: "figures wanted"; readonly id: number }
  | { readonly type: "figures"; readonly id: number; readonly figures: readonly ReadFigures[] };

/** Asks the other end for figures and answers when it asks; each end has one. */
export class FiguresExchange {
  readonly #send: (message: Message) => void;
  readonly #read: () => Promise<readonly ReadFigures[]>;
  readonly #asked = new Map<number, (figures: readonly ReadFigures[]) => void>();
  #last = 0;

  constructor(send: (message: Message) => void, read: () => Promise<readonly ReadFigures[]>) {
    this.#send = send;
    this.#read = read;
  }

  /** None after so long: who scrapes would rather have what there is than wait for a process that hangs. */
  ask(msMax: number): Promise<readonly ReadFigures[]> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<readonly ReadFigures[]>();
    const timer = setTimeout(resolve, msMax, []);
    this.#asked.set(id, resolve);
    this.#send({ type: "figures wanted", id });
    return promise.finally(() => {
      clearTimeout(timer);
      this.#asked.delete(id);
    });
  }

  receive(message: Message): void {
    if (message.type === "figures") this.#asked.get(message.id)?.(message.figures);
    if (message.type === "figures wanted")
      void this.#read()
        .catch(() => [])
        .then((figures) => this.#send({ type: "figures", id: message.id, figures }));
  }
}

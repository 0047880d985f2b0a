/** A message to other tabs of this browser that show the same payment. */
export type TabMessage = "acting" | "sent" | "stopped";

/** All tabs of this browser that show the same payment: each hears of the attempts of the others. */
export class Tabs {
  readonly #channel: BroadcastChannel;
  #isActing = false;

  constructor(path: string, onMessage: (message: TabMessage) => void) {
    this.#channel = new BroadcastChannel(`holdfast ${path}`);
    this.#channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data);
    addEventListener("pagehide", () => {
      if (this.#isActing) this.#tell("stopped");
    });
  }

  /** True while an attempt of this tab runs. */
  get isActing(): boolean {
    return this.#isActing;
  }

  begin(): void {
    this.#isActing = true;
    this.#tell("acting");
  }

  end(isSent: boolean): void {
    if (this.#isActing) this.#tell(isSent ? "sent" : "stopped");
    this.#isActing = false;
  }

  #tell(message: TabMessage): void {
    this.#channel.postMessage(message);
  }
}

import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A mail server on a loopback address without encryption and passwords. */
export interface MailServer extends AsyncDisposable {
  /** Commands and texts, line by line; the lines of a text come together, once it has ended. */
  readonly lines: string[];
  /** The emails that it took, each as the lines from the address on. */
  readonly taken: string[];
  readonly url: string;
  /** Another answer than the usual one to a command, or to the dot that ends a text; null: the usual one. */
  answer: (line: string) => string | null;
}

export async function startMailServer(host: string): Promise<MailServer> {
  const server = createServer((socket) => {
    let inData = false;
    let rest = "";
    const said: string[] = [];
    let text: string[] = [];
    socket.on("error", () => socket.destroy());
    socket.write("220 mail\r\n");
    socket.on("data", (chunk) => {
      const parts = `${rest}${chunk}`.split("\r\n");
      rest = parts.pop()!;
      for (const line of parts) {
        said.push(line);
        if (inData && line !== ".") {
          text.push(line);
          continue;
        }
        mail.lines.push(...text, line);
        text = [];
        const answer = mail.answer(line) ?? ANSWERS[line] ?? "250 fine";
        socket.write(`${answer}\r\n`);
        if (inData && answer.startsWith("250")) mail.taken.push(readLast(said));
        inData = answer.startsWith("354");
        if (line === "QUIT") socket.end();
      }
    });
  });
  server.listen({ host, port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const mail: MailServer = {
    lines: [],
    taken: [],
    url: `smtp://${host}:${port}`,
    answer: () => null,
    [Symbol.asyncDispose]: async () => void server.close(),
  };
  return mail;
}

const readLast = (lines: readonly string[]): string =>
  lines.slice(lines.findLastIndex((line) => line.startsWith("RCPT TO:"))).join("\n");

const ANSWERS: Readonly<Record<string, string>> = { DATA: "354 go on", STARTTLS: "502 no", QUIT: "221 bye" };

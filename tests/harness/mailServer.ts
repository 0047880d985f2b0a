import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** A mail server on a loopback address without encryption and passwords. */
export async function startMailServer(host: string) {
  const lines: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    let rest = "";
    socket.on("error", () => socket.destroy());
    socket.write("220 mail\r\n");
    socket.on("data", (chunk) => {
      const parts = `${rest}${chunk}`.split("\r\n");
      rest = parts.pop()!;
      for (const line of parts) {
        lines.push(line);
        if (inData && line !== ".") continue;
        if (line === "DATA") socket.write("354 go on\r\n");
        else if (line === "STARTTLS") socket.write("502 no\r\n");
        else socket.write(line === "QUIT" ? "221 bye\r\n" : "250 fine\r\n");
        inData = line === "DATA";
        if (line === "QUIT") socket.end();
      }
    });
  });
  server.listen({ host, port: 0 });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { lines, url: `smtp://${host}:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

/** The parts of Express that the tests use: it has no types of its own. */
declare module "express" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export type Request = IncomingMessage;
  export type Response = ServerResponse & { json(value: object): void };
  export type NextFunction = (error?: unknown) => void;
  type Handler = (request: Request, response: Response, next: NextFunction) => unknown;
  interface App extends RequestListener {
    use(handler: Handler): void;
    get(path: string, handler: Handler): void;
  }
  const express: () => App;
  export default express;
}

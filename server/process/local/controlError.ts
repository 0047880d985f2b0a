/** The controls refuse the request; the message says how it must be. */
export class ControlError extends Error {
  override readonly name = "ControlError";
}

import { isSpanContextValid, SpanStatusCode, trace } from "@opentelemetry/api";
import { type RunSpan, traceBy } from "../lib/trace.ts";

/** The place where an SDK registers itself, with the version of the API that it brings. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

/** Returns the version of an SDK's API; null if there is no SDK, also if this service's API cannot use that version. */
function findRegistered(): string | null {
  const registered = (globalThis as { [REGISTERED]?: { version: string; trace?: object } })[REGISTERED];
  return registered?.trace === undefined ? null : registered.version;
}

/**
 * Traces requests, batches of statements, chain calls and deliveries if the operator started the process with an SDK of
 * OpenTelemetry (`node --import`). Without one nothing is traced. Returns a line for the log if there is one.
 */
export function traceIfAsked(): string | null {
  const version = findRegistered();
  if (version === null) return null;
  const tracer = trace.getTracer("holdfast");
  const probe = tracer.startSpan("start");
  probe.end();
  if (!isSpanContextValid(probe.spanContext()))
    return `Nothing is traced: the SDK of OpenTelemetry has version ${version} of @opentelemetry/api, which is too old.`;
  const run: RunSpan = (name, attributes, work, ended) =>
    tracer.startActiveSpan(name, { attributes: { ...attributes } }, async (span) => {
      try {
        return await work();
      } catch (error) {
        // The message of an error may quote what a caller sent.
        span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.name : "error" });
        throw error;
      } finally {
        if (ended !== undefined) span.setAttributes({ ...ended() });
        span.end();
      }
    });
  traceBy(run);
  return "Requests, statements, chain calls and deliveries are traced.";
}

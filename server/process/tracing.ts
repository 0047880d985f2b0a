import { isSpanContextValid, SpanStatusCode, trace } from "@opentelemetry/api";
import { type RunSpan, traceBy } from "../lib/trace.ts";

/**
 * Traces requests, batches of statements, chain calls and deliveries if the operator started the process with an SDK of
 * OpenTelemetry (`node --import`). Without one nothing is traced. Returns true if there is one.
 */
export function traceIfAsked(): boolean {
  const tracer = trace.getTracer("holdfast");
  const probe = tracer.startSpan("start");
  probe.end();
  if (!isSpanContextValid(probe.spanContext())) return false;
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
  return true;
}

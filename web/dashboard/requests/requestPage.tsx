import { Badge, Notice } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Time } from "@holdfast/ui/time.tsx";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ApiError } from "../api/client.ts";
import { read } from "../api/queries.ts";
import type { RequestDetails } from "../api/schema.ts";
import { ObjectLink, TransactionLink } from "../objects/objectLink.tsx";
import { Facts } from "../shell/facts.tsx";
import { Page, Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { QueryState } from "../shell/queryState.tsx";
import { RawText } from "../shell/rawText.tsx";
import { useTenant } from "../shell/tenant.ts";
import { readRefusal, signatureIn } from "./refusal.ts";

/** One request, by the Request-Id of its answer. */
export function RequestPage() {
  const { path } = useTenant();
  const { request: id } = useParams({ from: "/staff/$business/$environment/requests/$request" });
  const request = useQuery(read("getRequest", { path: { ...path, request: id } }));
  const isUnknown = request.error instanceof ApiError && request.error.status === 404;
  return (
    <Page
      title="Request"
      text={
        <Link className="underline" to="/$business/$environment/requests" params={path}>
          Requests
        </Link>
      }
    >
      {isUnknown ? (
        <EmptyState title="No request has this Request-Id">
          <span className="break-all">{id}</span> is not among the requests of the last seven days in {path.environment}
          . One that has just been answered may take a moment.
        </EmptyState>
      ) : (
        <QueryState query={request}>{(data) => <Details request={data} />}</QueryState>
      )}
    </Page>
  );
}

function Details({ request }: { readonly request: RequestDetails }) {
  const { path } = useTenant();
  return (
    <>
      <Facts
        facts={[
          [
            "Request-Id",
            <code key="id" className="break-all">
              {request.id}
            </code>,
          ],
          ["Request", <code key="path" className="break-all">{`${request.method} ${request.path}`}</code>],
          [
            "Status",
            <Badge key="status" tone={request.status < 400 ? "good" : "bad"}>
              {request.status}
            </Badge>,
          ],
          [
            "Error",
            request.errorCode === null ? (
              "None"
            ) : (
              <Link
                key="error"
                to="/$business/$environment/requests"
                params={path}
                search={{ error_code: request.errorCode }}
              >
                <code>{request.errorCode}</code>
              </Link>
            ),
          ],
          ["Took", `${Math.ceil(request.durationMs)} ms`],
          ["When", <Time key="when" at={request.arrivedAt} />],
          [
            "Key",
            <Link key="key" to="/$business/$environment/requests" params={path} search={{ key: request.key }}>
              <code className="break-all">{request.key}</code>
            </Link>,
          ],
          ["About", request.about === null ? "–" : <ObjectLink key="about" id={request.about} />],
        ]}
      />
      <WhyRefused request={request} />
      <Section title="What was sent" text="Without metadata. Headers are not kept.">
        {request.body === null ? (
          <p>There was no body, or it had more than 2,000 characters.</p>
        ) : (
          <RawText label="Body" text={request.body} />
        )}
      </Section>
    </>
  );
}

/** The answer to a request that was refused, in words, and where to go on. */
function WhyRefused({ request }: { readonly request: RequestDetails }) {
  const refusal = readRefusal(request.answer);
  if (request.errorCode === null) return null;
  const signature = signatureIn(request.body);
  const isOfSignature = request.errorCode === "signature_unverified" && signature !== null && request.about !== null;
  return (
    <Section title="Why it was refused">
      <Notice tone="bad">
        <p>{refusal?.message ?? request.meaning ?? request.errorCode}</p>
      </Notice>
      <Facts
        facts={[
          ...(refusal?.param ? ([["Field", <code key="param">{refusal.param}</code>]] as const) : []),
          ...(refusal?.intent ? ([["Intent", <ObjectLink key="intent" id={refusal.intent} />]] as const) : []),
          ...(refusal?.reason ? ([["Reason", <code key="reason">{refusal.reason}</code>]] as const) : []),
          ...(refusal === null || refusal.mismatch.length === 0
            ? []
            : ([["Terms that differ", refusal.mismatch.join(", ")]] as const)),
          ...(request.meaning === null ? [] : ([["In general", request.meaning.replaceAll("`", "")]] as const)),
        ]}
      />
      {isOfSignature ? (
        <p>
          <TransactionLink signature={signature} intent={request.about ?? ""} />
        </p>
      ) : null}
      {request.answer === null ? null : <RawText label="Answer" text={prettyJson(request.answer)} />}
    </Section>
  );
}

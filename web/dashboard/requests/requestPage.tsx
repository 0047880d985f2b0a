import { Notice } from "@holdfast/ui/badge.tsx";
import { EmptyState } from "@holdfast/ui/states.tsx";
import { Link } from "@tanstack/react-router";
import { LIMITS, type RequestDetails } from "../api/schema.ts";
import { Filled } from "../catalogue/filled.tsx";
import * as texts from "../catalogue/index.ts";
import { objectLink, TransactionLink } from "../objects/objectLink.tsx";
import { FactsPage } from "../pages/factsPage.tsx";
import { badge, code, Facts, time } from "../shell/facts.tsx";
import { Section } from "../shell/page.tsx";
import { prettyJson } from "../shell/prettyJson.ts";
import { RawText } from "../shell/rawText.tsx";
import { useIdOf, useTenant } from "../shell/tenant.ts";
import { parseRefusal, signatureIn } from "./refusal.ts";

/** The page of one request, by the Request-Id of its response. */
export function RequestPage() {
  const { path } = useTenant();
  const id = useIdOf("request");
  const requestsWith = (search: { readonly error_code?: string; readonly key?: string }, text: string) => (
    <Link to="/$business/$environment/requests" params={path} search={search}>
      {code(text)}
    </Link>
  );
  return (
    <FactsPage
      operation="getRequest"
      input={{ path: { ...path, request: id } }}
      title={texts.requests.one}
      up={() => (
        <Link className="underline" to="/$business/$environment/requests" params={path}>
          {texts.requests.title}
        </Link>
      )}
      unknown={
        <EmptyState title={texts.requests.unknownTitle}>
          <Filled
            text={texts.requests.unknownText(path.environment, LIMITS.requestsKeptDays)}
            slots={{ id: <span className="break-all">{id}</span> }}
          />
        </EmptyState>
      }
      facts={(request) => [
        [texts.requests.id, code(request.id)],
        [texts.requests.one, code(`${request.method} ${request.path}`)],
        [texts.common.status, badge(request.status < 400 ? "good" : "bad", request.status)],
        [
          texts.requests.error,
          request.errorCode === null
            ? texts.common.none
            : requestsWith({ error_code: request.errorCode }, request.errorCode),
        ],
        [texts.common.duration, `${Math.ceil(request.durationMs)} ms`],
        [texts.common.time, time(request.arrivedAt)],
        [texts.requests.key, requestsWith({ key: request.key }, request.key)],
        [texts.common.object, request.about === null ? "–" : objectLink(request.about)],
      ]}
    >
      {(request) => (
        <>
          {request.errorCode === null ? null : <Refused request={request} errorCode={request.errorCode} />}
          <Section title={texts.requests.sentTitle} text={texts.requests.sentText}>
            {request.body === null ? (
              <p>{texts.requests.noBody}</p>
            ) : (
              <RawText label={texts.common.body} text={request.body} />
            )}
          </Section>
        </>
      )}
    </FactsPage>
  );
}

/** The answer to a refused request, in words, with the next step. */
function Refused({ request, errorCode }: { readonly request: RequestDetails; readonly errorCode: string }) {
  const { message, param, intent, reason, mismatch } = parseRefusal(request.answer);
  const { meaning } = request;
  const signature = signatureIn(request.body);
  const isOfSignature = errorCode === "signature_unverified" && signature !== null && request.about !== null;
  return (
    <Section title={texts.requests.refusedTitle}>
      <Notice tone="bad">
        <p>{message ?? meaning ?? errorCode}</p>
      </Notice>
      <Facts
        facts={[
          param === null ? null : [texts.requests.field, code(param)],
          intent === null ? null : [texts.common.intent, objectLink(intent)],
          reason === null ? null : [texts.requests.reason, code(reason)],
          mismatch.length === 0 ? null : [texts.requests.mismatch, mismatch.join(", ")],
          meaning === null ? null : [texts.requests.meaning, meaning.replaceAll("`", "")],
        ]}
      />
      {isOfSignature ? (
        <p>
          <TransactionLink signature={signature} intent={request.about ?? ""} />
        </p>
      ) : null}
      {request.answer === null ? null : <RawText label={texts.common.response} text={prettyJson(request.answer)} />}
    </Section>
  );
}

import { type Html, type HtmlPage, html } from "../../html/page.ts";
import type { Json } from "../../http/openapi.ts";
import { showCurl } from "./curl.ts";
import { showInline, showProse } from "./prose.ts";
import { objectAnchor, rowsOf, showRows, showType } from "./schemas.ts";
import { REFERENCE_STYLES } from "./styles.ts";

/** The addresses that the reference names. */
export interface ReferenceUrls {
  readonly apiUrl: string;
  /** The OpenAPI document of buyers' requests. */
  readonly checkoutDocument: string;
}

/** Shows the whole API on one page, made from its document alone, without scripts or files of other servers. */
export function referencePage(document: Json, { apiUrl, checkoutDocument }: ReferenceUrls): HtmlPage {
  const { info, tags, paths, webhooks, components } = document;
  const operations: Operation[] = Object.entries<Json>(paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const tagged = (name: string) => operations.filter(({ operation }) => operation.tags.includes(name));
  const errors = Object.entries<Json>(components.examples);
  const objects = Object.entries<Json>(components.schemas).filter(([name]) => !name.startsWith("Error"));
  const context = { document, apiUrl };
  return {
    title: `${info.title} ${info.version}`,
    styles: REFERENCE_STYLES,
    script: null,
    body: html`<div class="layout">
<nav aria-label="Contents">
<p><a href="#introduction">Introduction</a></p>
${tags
  .map(({ name }: Json) =>
    tagged(name).length === 0
      ? null
      : html`<p>${name}</p><ul>${tagged(name).map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}</ul>`,
  )
  .filter((part: Html | null) => part !== null)}
<p><a href="#webhooks">Webhooks</a></p>
<p><a href="#errors">Errors</a></p>
<p><a href="#objects">Objects</a></p>
<ul class="objects">${objects.map(([name]) => html`<li><a href="#${objectAnchor(name)}">${name}</a></li>`)}</ul>
</nav>
<main>
<header id="introduction"><h1>${info.title}</h1>
<p class="lead">${info.summary} Version <code translate="no">${info.version}</code>. For programs: <a href="/openapi.json">openapi.json</a>; of what buyers’ pages ask for: <a href="${checkoutDocument}">that of the checkout</a>.</p>
<p>Base address: <code translate="no">${apiUrl}</code></p>
${showProse(info.description)}</header>
${tags
  .filter(({ name }: Json) => tagged(name).length > 0)
  .map(
    ({ name, description }: Json) =>
      html`<section><h2>${name}</h2>${showProse(description)}${tagged(name).map((one) => showOperation(context, one))}</section>`,
  )}
<section id="webhooks"><h2>Webhooks</h2>
${showProse(tags.find(({ name }: Json) => name === "Webhooks").description)}
<h3>Headers of a delivery</h3>${showDeliveryHeaders(webhooks)}
<h3>Events</h3>${Object.values<Json>(webhooks).map(({ post }) => showWebhook(post))}</section>
<section id="errors"><h2>Errors</h2>
${errors.map(([code, example]) => showError(document, code, example.value))}</section>
<section id="objects"><h2>Objects</h2>
${objects.map(([name, schema]) => showObject(name, schema))}</section>
</main></div>`,
  };
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}
interface Context {
  readonly document: Json;
  readonly apiUrl: string;
}

function showOperation({ document, apiUrl }: Context, { method, path, operation }: Operation): Html {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const locations = [
    ["path", "In the path"],
    ["query", "In the query"],
    ["header", "Headers"],
  ] as const;
  const body = requestBody?.content["application/json"].schema;
  const bodyName = body?.$ref.split("/").at(-1);
  const [status, success] = Object.entries<Json>(responses)[0]!;
  const answer = success.content["application/json"];
  const types = Object.keys(success.content).join(", ");
  return html`<article id="${operationId}"><h3>${summary}</h3>
<p class="route"><span class="${method}">${method.toUpperCase()}</span> <code translate="no">${path}</code></p>
${showProse(description)}
<pre class="curl" tabindex="0"><code translate="no">${showCurl(apiUrl, method, path, operation)}</code></pre>
${locations.map(([location, title]) => {
  const given = parameters.filter((one: Json) => one.in === location);
  return given.length === 0 ? html`` : html`<h4>${title}</h4>${showParameters(given)}`;
})}
${body === undefined ? null : html`<h4>Body</h4>${showRows(rowsOf(document.components.schemas[bodyName]), true)}`}
<h4>Answer</h4>
<p><strong>${status}</strong> ${success.description} ${answer === undefined ? types : showType(answer.schema)}</p>
${answer === undefined ? null : html`<details><summary>Example</summary>${showJson(answer.examples.example.value)}</details>`}
<details><summary>Errors</summary>${showErrorsOf(document, responses)}</details>
</article>`;
}

const showParameters = (parameters: readonly Json[]): Html =>
  showRows(
    parameters.map(({ name, schema, description, required }) => ({ name, schema, description, isRequired: required })),
    true,
  );

/** The headers of a delivery are the same for every event, except the type; only `webhook.test` has no sequence. */
function showDeliveryHeaders(webhooks: Json): Html {
  const [first] = Object.values<Json>(webhooks);
  const anyType = (one: Json) => (one.name === "Service-Event-Type" ? { ...one, schema: { type: "string" } } : one);
  return showParameters(first.post.parameters.map(anyType));
}

function showErrorsOf(document: Json, responses: Json): Html {
  const refused = Object.entries<Json>(responses).slice(1);
  return html`<ul class="errors">${refused.flatMap(([status, { $ref }]) => {
    const response = document.components.responses[$ref.slice("#/components/responses/".length)];
    return Object.keys(response.content["application/json"].examples).map(
      (code) =>
        html`<li><strong>${status}</strong> <a href="#error-${code}"><code translate="no">${code}</code></a></li>`,
    );
  })}</ul>`;
}

function showWebhook({ operationId, summary, description, requestBody }: Json): Html {
  const { schema, example } = requestBody.content["application/json"];
  return html`<article id="${operationId}"><h4><code translate="no">${summary}</code></h4>
<p>${showInline(description)} Body: ${showType(schema)}.</p>
<details><summary>Example</summary>${showJson(example)}</details></article>`;
}

function showError(document: Json, code: string, example: Json): Html {
  const name = Object.keys(document.components.schemas).find(
    (one) => document.components.schemas[one].properties?.error?.properties.code.const === code,
  )!;
  return html`<article id="error-${code}"><h3><code translate="no">${code}</code></h3>
<p>${showInline(document.components.schemas[name].description)}</p>${showJson(example)}</article>`;
}

function showObject(name: string, schema: Json): Html {
  const rows = rowsOf(schema);
  return html`<article id="${objectAnchor(name)}"><h3>${name}</h3>
${showProse(schema.description ?? "")}
${rows.length === 0 ? html`<p>${showType(schema)}</p>` : showRows(rows, name.startsWith("New"))}</article>`;
}

const showJson = (value: unknown): Html =>
  html`<pre tabindex="0"><code translate="no">${JSON.stringify(value, null, 2)}</code></pre>`;

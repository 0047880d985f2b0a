import { BASE58 } from "../../../domain/values.ts";
import { type Html, html } from "../../html/page.ts";
import type { Json } from "../../http/openapi.ts";
import { showInline } from "./prose.ts";

const nameOf = (ref: string): string => ref.split("/").at(-1)!;
/** The anchor of an object of the document on the page. */
export const objectAnchor = (name: string): string => `object-${name}`;

/** Shows the type of a value in a few words; objects of the document are links. */
export function showType(schema: Json): Html {
  if (schema.$ref !== undefined) return linkTo(nameOf(schema.$ref));
  if (schema.allOf !== undefined) return showType(schema.allOf[0]);
  if (schema.anyOf !== undefined) return join(schema.anyOf.map(showType), html` or `);
  if (schema.const !== undefined) return html`<code translate="no">${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`one of ${join(
      schema.enum.map((word: string) => html`<code translate="no">${word}</code>`),
      html`, `,
    )}`;
  if (schema.type === "array") return html`list of ${showType(schema.items)}`;
  if (schema.type === "integer") return html`${wholeNumber(schema)}`;
  if (schema.format === "date-time") return html`timestamp`;
  if (schema.pattern?.includes(BASE58)) return html`base58 ${schema.type}`;
  return html`${schema.type ?? "anything"}${lengthOf(schema)}`;
}

const linkTo = (name: string): Html => html`<a href="#${objectAnchor(name)}">${name}</a>`;

function wholeNumber({ minimum, maximum, default: fallback }: Json): string {
  const range = maximum === undefined ? `, from ${minimum ?? 0}` : `, ${minimum} to ${maximum}`;
  return `whole number${range}${fallback === undefined ? "" : `, ${fallback} unless given`}`;
}

const lengthOf = ({ minLength, maxLength }: Json): string =>
  maxLength === undefined ? "" : `, ${minLength ?? 0} to ${maxLength} characters`;

const join = (parts: readonly Html[], between: Html): Html => ({
  html: parts.map((part) => part.html).join(between.html),
});

export interface Row {
  readonly name: string;
  readonly schema: Json;
  readonly description: string;
  readonly isRequired: boolean;
}

/** Shows names with their type and meaning. `marks`: marks the required ones. */
export const showRows = (rows: readonly Row[], marks: boolean): Html =>
  html`<dl class="fields">${rows.map(
    ({ name, schema, description, isRequired }) =>
      html`<div><dt><code translate="no">${name}</code>${marks && isRequired ? html` <em>required</em>` : null}<span class="type">${showType(schema)}</span></dt><dd>${showInline(description)}</dd></div>`,
  )}</dl>`;

/** Lists the members of an object; those of nested objects follow with their path. */
export function rowsOf(schema: Json, prefix = ""): Row[] {
  const required: readonly string[] = schema.required ?? [];
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, member]) => {
    const row = {
      name: prefix + name,
      schema: member,
      description: member.description ?? "",
      isRequired: required.includes(name),
    };
    return [row, ...(member.type === "object" ? rowsOf(member, `${prefix}${name}.`) : [])];
  });
}

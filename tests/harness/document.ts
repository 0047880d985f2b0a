import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Answer } from "./http.ts";

// biome-ignore lint/suspicious/noExplicitAny: a document of JSON, into which tests read.
type Json = any;

const PREFIX = "/api/v1";
const FORMATS_OF_OURS = ["uint64", "solana-wallet", "solana-mint", "solana-signature"];

/** Compares answers with the document: status, headers, media type and body. No field may be missing or undocumented. */
export class DocumentCheck {
  readonly document: Json;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    this.document = document;
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    for (const name of FORMATS_OF_OURS) this.#ajv.addFormat(name, true);
    this.#ajv.addSchema({ $id: "api", ...document, components: closed(document.components) });
  }

  /** The problems of a value with the schema at a JSON pointer into the document. */
  problems(pointer: string, value: unknown): string[] {
    const validate = this.#compiled.get(pointer) ?? this.#ajv.compile({ $ref: `api#${pointer}` });
    this.#compiled.set(pointer, validate);
    return validate(value)
      ? []
      : validate.errors!.map((one) => `${one.instancePath} ${one.message} ${JSON.stringify(one.params)}`);
  }

  /** Follows a `$ref`, and says where the answer stands. */
  #responsePointer(template: string, method: string, status: number): string {
    const pointer = `/paths/${toPointer(template)}/${method.toLowerCase()}/responses/${status}`;
    const response = this.at(pointer);
    assert.ok(response !== undefined, `${method} ${template} does not document ${status}`);
    return response.$ref === undefined ? pointer : response.$ref.slice(1);
  }

  at(pointer: string): Json {
    const names = pointer.split("/").slice(1).map(fromPointer);
    return names.reduce((value, name) => value?.[name], this.document);
  }

  /** The documented path that a request's path stands for. */
  template(path: string): string | null {
    const plain = path.split("?", 1)[0]!.replace(PREFIX, "");
    const fits = (template: string) => new RegExp(`^${template.replace(/\{[a-z]+\}/g, "[^/]+")}$`).test(plain);
    return Object.keys(this.document.paths).find(fits) ?? null;
  }

  check(method: string, path: string, answer: Answer): void {
    const template = this.template(path);
    assert.ok(template !== null, `${path} is not documented`);
    const pointer = this.#responsePointer(template, method, answer.status);
    const { headers, content } = this.at(pointer);
    const said = `${method} ${path} → ${answer.status} ${answer.text}`;
    for (const [name, { $ref }] of Object.entries<Json>(headers)) {
      const header = this.at($ref.slice(1));
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        assert.ok(!header.required, `${said}: no ${name}`);
        continue;
      }
      const typed = header.schema.type === "integer" ? Number(value) : value;
      assert.deepEqual(this.problems(`${$ref.slice(1)}/schema`, typed), [], `${said}: ${name}: ${value}`);
    }
    const given = String(answer.headers["content-type"]);
    const [type] = given.split(";");
    assert.ok(Object.hasOwn(content, type!), `${said}: ${given}, not ${Object.keys(content).join(" or ")}`);
    if (type !== "application/json") return;
    assert.equal(given, "application/json; charset=utf-8", said);
    const schema = `${pointer}/content/application~1json/schema`;
    assert.deepEqual(this.problems(schema, answer.json), [], said);
  }
}

const toPointer = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");
const fromPointer = (name: string): string => name.replaceAll("~1", "/").replaceAll("~0", "~");

/** Clients must accept new fields, but the service must send no undocumented one. */
function closed(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return schema.type === "object" && schema.properties !== undefined && schema.additionalProperties === undefined
    ? { ...inner, additionalProperties: false }
    : inner;
}

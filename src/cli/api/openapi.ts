/** The contract as OpenAPI 3.1. The only import of the library that turns schemas into JSON Schema. */

import { toJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";
import { type Endpoint, pathParams } from "../../contract/endpoint.ts";
import { describe, factsOf } from "../../contract/fields.ts";
import { contract } from "../../contract/index.ts";
import { t } from "../../locale/locale.ts";
import { version } from "../../version.ts";
import { describeNeeds } from "../permissions.ts";

type Schema = v.GenericSchema;
type Json = Readonly<Record<string, unknown>>;

export const buildOpenApi = (): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(contract)) {
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Messaging service", version },
    servers: [{ url: "{baseUrl}", variables: { baseUrl: { default: "http://127.0.0.1:4610" } } }],
    paths,
    components: { schemas: { Error: errorSchema }, securitySchemes },
  };
};

const errorSchema = {
  type: "object",
  required: ["errorCode", "errorMessage"],
  properties: { errorCode: { type: "string" }, errorMessage: { type: "string" } },
};

const securitySchemes = {
  signature: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "HMAC-SHA256 apiKey=…, date=…, salt=…, signature=…",
  },
  token: { type: "http", scheme: "bearer" },
};

const operation = (name: string, endpoint: Endpoint): Json => {
  const { needs, body } = endpoint;
  return {
    operationId: name,
    summary: endpoint.does,
    description: t`Needs ${describeNeeds(endpoint)}.`,
    tags: [endpoint.path.split("/")[1] ?? ""],
    parameters: parametersOf(endpoint),
    ...(body && { requestBody: { required: true, content: content(body, "input") } }),
    responses: {
      200: { description: "Done", content: content(endpoint.reply, "output") },
      default: {
        description: "Refused",
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
    security: securityOf(needs),
    "x-effect": endpoint.effect,
    ...(endpoint.secondFactor && { "x-second-factor": true }),
  };
};

const securityOf = ({ credentials }: Endpoint["needs"]): Json[] => {
  if (credentials === "none") return [];
  if (credentials === "optional") return [{}, { signature: [] }, { token: [] }];
  return credentials === "token" ? [{ token: [] }] : [{ signature: [] }, { token: [] }];
};

const parametersOf = ({ path, query = {} }: Endpoint): Json[] => [
  ...pathParams(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  })),
  ...Object.entries(query).map(([name, schema]) => ({
    name,
    in: "query",
    required: "mandatory" in schema,
    description: describe(schema),
    ...(factsOf(schema).operators && { style: "deepObject", explode: true }),
    schema: jsonSchema(schema, "input"),
  })),
];

const documentType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const content = (schema: Schema, mode: "input" | "output"): Json =>
  schema.type === "instance"
    ? { [documentType]: {} }
    : { "application/json": { schema: jsonSchema(schema, mode) } };

/** The flags' `metadata` is not JSON Schema; a document inside an answer is any value. */
const jsonSchema = (schema: Schema, typeMode: "input" | "output"): Json => {
  const { $schema: _, ...rest } = toJsonSchema(schema, {
    typeMode,
    target: "draft-2020-12",
    errorMode: "ignore",
    ignoreActions: ["metadata"],
  });
  return rest;
};

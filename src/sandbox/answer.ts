/** Answers as bytes and headers, and the check that they keep the contract. */
import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import type { Endpoint } from "../contract/endpoint.ts";
import type { Answer } from "../contract/wire.ts";
import type { Refusal, ResponseHead } from "./service.ts";

/** The result of a request, and how it is returned through either door. */
export interface Exchange {
  /** A document is still being written when its transaction ends. */
  readonly answer: Answer | Promise<Answer>;
  /** The connection breaks after the request came in: before the answer, or in its middle. */
  readonly cut?: "whole" | "middle" | undefined;
  /** How long the answer is held back. */
  readonly delayMs?: number | undefined;
}

/** Headers of every answer. */
interface AnswerMeta {
  /** Signing time: clients measure their own skew by it. */
  readonly date: number;
  /** Ids of the assumptions that the answer rests on. */
  readonly assumptions?: ReadonlySet<string>;
  /** The handler's choice; plain JSON without one. */
  readonly head?: ResponseHead | undefined;
}

/** A JSON body, or the bytes of a document as they are. */
export const successAnswer = (reply: unknown, meta: AnswerMeta, path: string): Answer => {
  const isBytes = reply instanceof Uint8Array;
  const { status = 200, headers } = meta.head ?? {};
  const defaults = isBytes ? documentHeaders(path, meta) : headersOf(json, meta);
  return {
    status,
    headers: { ...defaults, ...headers },
    body: isBytes ? reply : Buffer.from(JSON.stringify(reply)),
  };
};

/** Spreadsheets have their type and a name after the last word of their path. */
const documentHeaders = (path: string, meta: AnswerMeta): Record<string, string> => {
  const [, name] = /([^/]+)\/excel$/.exec(path) ?? [];
  if (name === undefined) return headersOf("application/octet-stream", meta);
  return {
    ...headersOf(xlsx, meta),
    "content-disposition": `attachment; filename="${name}.xlsx"`,
  };
};

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** The service's refusal as it is written: `errorCode`, `errorMessage` and members of its own. */
export const refusalAnswer = (refusal: Refusal, meta: AnswerMeta): Answer => {
  const { status, errorCode, message: errorMessage, extra } = refusal;
  return {
    status,
    headers: { ...headersOf(json, meta), ...extra.headers },
    body: Buffer.from(JSON.stringify({ errorCode, errorMessage, ...extra.members })),
  };
};

/** The type of every answer that is not a document. */
const json = "application/json; charset=utf-8";

const headersOf = (
  contentType: string,
  { date, assumptions }: AnswerMeta,
): Record<string, string> => {
  const names = [...(assumptions ?? [])].join(", ");
  return {
    "content-type": contentType,
    date: new Date(date).toUTCString(),
    ...(names !== "" && { "x-sandbox-assumption": names }),
  };
};

/** Throws if an answer is not exactly what the contract declares: neither may drift. */
export const checkAnswer = (endpoint: Endpoint, { headers, body }: Answer): void => {
  const isJson = headers["content-type"] === json;
  const answered: unknown = isJson ? JSON.parse(Buffer.from(body).toString()) : body;
  const result = v.safeParse(endpoint.reply, answered);
  const where = `The answer of ${endpoint.method} ${endpoint.path}`;
  if (!result.success) {
    const issues = result.issues.map((issue) => `${v.getDotPath(issue) ?? "."}: ${issue.message}`);
    throw new Error(`${where} breaks its contract: ${issues.join("; ")}`);
  }
  if (!isDeepStrictEqual(result.output, answered)) {
    throw new Error(`${where} has members that its contract does not declare.`);
  }
};

/** The body of an answer that is not a success: the service's two members, or whatever a proxy wrote. */
import type { Answer } from "../../contract/wire.ts";
import { asRecord, readJson } from "../../json/read-json.ts";
import { isErrorCode } from "../../message/explain.ts";

export interface ErrorBody {
  /** The word of an error object; undefined where the body is none. Anyone may have written it. */
  readonly errorCode: string | undefined;
  /**
   * The same in lower case, where the service wrote it as far as can be told: both members are there,
   * and the word is of its catalogue.
   */
  readonly serviceCode: string | undefined;
  /** One line, at most 200 characters, without controls. */
  readonly text: string;
  /** The body as it came: JSON as a value, else its text. */
  readonly raw: unknown;
}

/** Characters of a foreign text that are shown. */
const shown = 200;
/** Bytes of a body that is no JSON; a page of a proxy may be long and says nothing more. */
const kept = 2_000;

export const errorBody = (answer: Answer): ErrorBody => {
  const raw = readJson(answer.body);
  const { errorCode, errorMessage } = asRecord(raw);
  if (typeof errorCode === "string" && errorCode !== "")
    return {
      errorCode: oneLine(errorCode),
      serviceCode: serviceCodeOf(errorCode, errorMessage),
      text: oneLine(typeof errorMessage === "string" ? errorMessage : ""),
      raw,
    };
  const text = Buffer.from(answer.body.subarray(0, kept)).toString("utf8");
  return { errorCode: undefined, serviceCode: undefined, text: oneLine(text), raw: raw ?? text };
};

const serviceCodeOf = (errorCode: string, errorMessage: unknown): string | undefined => {
  const isWhole = typeof errorMessage === "string" && errorMessage !== "";
  return isWhole && isErrorCode(errorCode) ? errorCode.toLowerCase() : undefined;
};

/** Foreign text as part of a sentence: one line, no controls, at most 200 characters. */
export const oneLine = (text: string): string => {
  const line = text.slice(0, kept).replace(unsafe, " ").replace(/\s+/g, " ").trim();
  return line.length > shown ? `${line.slice(0, shown).replace(/[\ud800-\udbff]$/, "")}…` : line;
};

/** Controls, format characters, line separators and lone surrogates. */
const unsafe = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

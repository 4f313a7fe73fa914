/** Where JSON that was typed stops being JSON. Loaded when met. */
import { findJsonFault } from "../../json/json-fault.ts";

/** `line 2, column 7: a value is expected here`; what stands there is not repeated. */
export const describeJsonFault = (text: string): string => {
  const fault = findJsonFault(text);
  const before = text.slice(0, fault?.at ?? 0).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return fault?.code === "Syntax" ? `${place}: ${fault.text}` : place;
};

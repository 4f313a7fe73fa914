/** Where JSON that was typed stops being JSON. Loaded when met. */
import { jsonFault } from "../../json/json-fault.ts";

/** `line 2, column 7: a value is expected here`; what stands there is not repeated. */
export const jsonPlace = (text: string): string => {
  const fault = jsonFault(text);
  const before = text.slice(0, fault?.at ?? 0).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
  return fault?.code === "Syntax" ? `${place}: ${fault.text}` : place;
};

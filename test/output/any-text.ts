/** Any text, every other one of what moves, hides or reorders what stands beside it: chance alone makes none. */
import fc from "fast-check";

const harmful = ["\u001b", "\u007f", "\u009b", "\n", "\r", "\t", "\u2028"];
const hidden = ["\u202e", "\u2066", "\u200b", "\u200d", "\ufeff", "\ud800", "\u0301", "\u{e0041}"];
const ordinary = ["a", " ", "한", "👩"];

export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc.string({ unit: fc.constantFrom(...harmful, ...hidden, ...ordinary) }),
);

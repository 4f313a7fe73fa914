"use strict";
// Stands in for node:assert in undici, which calls it with a condition and sometimes with words.
module.exports = (holds, words) => {
  if (!holds) throw new Error(words ?? "an assertion of undici does not hold");
};

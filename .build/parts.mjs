// Chunks → parts: the files of dist/. A chunk's name is its part and its place in it: `line/7`.

/** From this size on a library is a part of its own. */
const largeBytes = 50_000;

/**
 * Parts by name. `needed` names, for each part that is rehearsed, the chunks that its command lines
 * need beyond those of the parts before it. What no rehearsal needs is in `rest`.
 */
export const partsOf = (chunks, needed) => {
  const parts = {};
  for (const [place, chunk] of chunks.entries()) {
    const [part = "rest"] = Object.keys(needed).filter((it) => needed[it].includes(`main/${place}`));
    const alone = chunk.library && chunk.code.length > largeBytes;
    (parts[alone ? chunk.library : part] ??= []).push(chunk);
  }
  return parts;
};

/** The text of a part: a list of functions, for `require` as for `vm.Script`. */
export const textOf = (part, parts) => {
  const places = new Map(
    Object.entries(parts).flatMap(([name, chunks]) => chunks.map((it, at) => [it.name, `${name}/${at}`])),
  );
  const functions = parts[part].map(
    ({ code }) =>
      `function(module,exports,require,__filename){${code.replace(/\brequire\("\.\/([^"]+)"\)/g, (_, name) => `require("${places.get(name)}")`)}}`,
  );
  return `(typeof module==="object"?module:{}).exports=[${functions.join(",\n")}]\n`;
};

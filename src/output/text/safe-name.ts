/** Names that somebody else gave to files, as names that do no harm in a folder. */

/** File systems take 255 bytes; a draft beside the file needs some of them. */
const mostBytes = 200;
/** Names that Windows takes for devices, whatever stands behind the dot. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
/** The end of a path, a drive, a stream of a file, patterns of shells; and what no terminal shows. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>:"|?*]/gu;

/**
 * A name that somebody else gave, as one that stays in its folder: what follows its last slash,
 * without characters that file systems or terminals read as more than text. Undefined where nothing
 * usable is left.
 */
export const safeName = (given: string): string | undefined => {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const clean = ending(last.slice(-mostBytes).replaceAll(unfit, ""))
    .replace(/^[.\s-]+/, "")
    .replace(/[.\s]+$/, "");
  return clean === "" || devices.test(clean) ? undefined : clean;
};

/** The end of a name that is too long: what it is stands behind its last dot. */
const ending = (name: string): string => {
  const characters = [...name];
  while (Buffer.byteLength(characters.join("")) > mostBytes) characters.shift();
  return characters.join("");
};

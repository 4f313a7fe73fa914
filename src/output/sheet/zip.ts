/** A zip archive as it grows: of what was yielded nothing is kept. */
import { Zip, ZipDeflate } from "fflate";

/** A file of an archive; its text is asked for piece by piece, when the file before it is complete. */
export interface ZipFile {
  readonly name: string;
  readonly text: Iterable<string> | AsyncIterable<string>;
}

/** Characters that are packed at once. */
const packed = 65_536;

/** The bytes of an archive of these files, in their order. What a text throws passes through. */
export async function* zipOf(
  files: Iterable<ZipFile> | AsyncIterable<ZipFile>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    ready.push(bytes);
  });
  const encoder = new TextEncoder();
  for await (const { name, text } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    zip.add(entry);
    for await (const piece of inPieces(text)) {
      entry.push(encoder.encode(piece));
      yield* ready.splice(0);
    }
    entry.push(new Uint8Array(), true);
    yield* ready.splice(0);
  }
  zip.end();
  yield* ready.splice(0);
}

async function* inPieces(text: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let piece = "";
  for await (const part of text) {
    piece += part;
    if (piece.length < packed) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

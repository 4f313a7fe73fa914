/** plan.jsonl: the bodies of a run's requests, one a line, each fixed before it is sent (sending.md 3). */
import { createHash } from "node:crypto";
import { type Part, partOf } from "../bytes/part.ts";
import { ByteWriter, mostDigits } from "../bytes/writer.ts";
import type { MessageInput } from "../contract/message-records.ts";
import { mostRecipients } from "../contract/messages.ts";
import { fileError } from "../durable/failure.ts";
import type { Files } from "../durable/files.ts";
import { writeAll } from "../durable/whole.ts";
import type { PlannedChunk } from "./run-file.ts";

/** Bytes of one body at most; the service takes 15 MB. */
const mostBytes = 14 * 1000 * 1000;

export interface BodiesOptions {
  readonly files: Files;
  readonly path: string;
  /** Messages of one body; 10,000 when left out. */
  readonly rows: number | undefined;
  /** The run that its messages are marked with. */
  readonly tag: string | undefined;
  /** Members beside `messages`, of the body whose first row this is. */
  readonly members: (firstRow: number) => Readonly<Record<string, unknown>>;
}

const opening = partOf('{"messages":[');
const comma = partOf(",");
const brace = partOf("}");
/** What follows the last message at most, beside the members: brackets, braces, a line end. */
const closingBytes = 16;
/** A body grows to its size once; a short run needs no more. */
const firstBytes = 64 * 1024;
/** Bytes that are hashed at a time: few calls, and they are still at hand. */
const hashedBytes = 64 * 1024;

/** Writes bodies as they fill. */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #hash: (json: Uint8Array) => void;
  readonly #most: number;
  readonly #mark: Part | undefined;
  readonly #descriptor: number;
  readonly #body = new ByteWriter(firstBytes);
  /** The messages without their marks, which differ from run to run. */
  readonly #bare = new ByteWriter(hashedBytes * 2);
  readonly #chunks: PlannedChunk[] = [];
  #rows = 0;
  #first = 0;
  #offset = 0;

  /** `hash` is told of the messages, one behind the other, as they are without the run's mark. */
  constructor(options: BodiesOptions, hash: (json: Uint8Array) => void) {
    const { files, path, rows = mostRecipients, tag } = options;
    this.#options = options;
    this.#hash = hash;
    this.#most = Math.min(rows, mostRecipients);
    this.#mark = tag === undefined ? undefined : markOf(tag);
    this.#descriptor = guarded(path, () => files.create(path, 0o600));
    this.#body.put(opening);
  }

  add(row: number, message: MessageInput): void {
    const { tag } = this.#options;
    const start = this.#body.at;
    const json = JSON.stringify(message);
    this.#bare.text(json);
    this.#hashBare(hashedBytes);
    this.#body.text(tag === undefined ? untagged(message, json) : tagged(message, json, tag, row));
    this.#close(row, start);
  }

  /**
   * Adds a message that has no custom fields: `write` writes the JSON of `of` but for the closing
   * brace, at most `size` bytes.
   */
  addOpen<T>(row: number, size: number, write: (writer: ByteWriter, of: T) => void, of: T): void {
    const body = this.#body;
    const bare = this.#bare;
    const start = body.at;
    body.room(size + (this.#mark?.length ?? 0) + mostDigits + closingBytes);
    write(body, of);
    bare.room(body.at - start + 1);
    bare.copy(body, start);
    bare.put(brace);
    this.#hashBare(hashedBytes);
    if (this.#mark) {
      body.put(this.#mark);
      body.digits(row);
      body.put(markedEnd);
    } else body.put(brace);
    this.#close(row, start);
  }

  /** Writes what is left. The bytes are on the disk when it returns. */
  end(): PlannedChunk[] {
    const { files, path } = this.#options;
    if (this.#rows > 0) this.#flush();
    this.#hashBare(0);
    guarded(path, () => files.syncData(this.#descriptor));
    return this.#chunks;
  }

  close(): void {
    this.#options.files.close(this.#descriptor);
  }

  /** What was written from `start` on is one message more; it may be the first of a new body. */
  #close(row: number, start: number): void {
    const body = this.#body;
    // Each message is counted with what stands behind it, a comma or a bracket.
    const isFull = this.#rows >= this.#most || body.at + 1 - opening.length > mostBytes;
    if (isFull && this.#rows > 0) {
      const message = Buffer.from(body.bytes.subarray(start, body.at));
      body.at = start;
      this.#flush();
      body.append(message);
    }
    if (this.#rows === 0) this.#first = row;
    this.#rows += 1;
    body.room(1);
    body.put(comma);
  }

  /** Writes the body that ends in a comma; the next one begins. */
  #flush(): void {
    const { files, path, members } = this.#options;
    const body = this.#body;
    body.at -= comma.length;
    body.text(closingOf(members(this.#first)));
    const { length } = body.written;
    const sha256 = createHash("sha256").update(body.written).digest("hex");
    const chunk = { offset: this.#offset, length, rows: this.#rows, first: this.#first, sha256 };
    body.text("\n");
    guarded(path, () => writeAll(files, this.#descriptor, body.written));
    this.#chunks.push(chunk);
    this.#offset += length + 1;
    this.#rows = 0;
    body.at = opening.length;
  }

  #hashBare(least: number): void {
    if (this.#bare.at <= least) return;
    this.#hash(this.#bare.written);
    this.#bare.at = 0;
  }
}

const closingOf = (members: Readonly<Record<string, unknown>>): string => {
  const rest = JSON.stringify(members).slice(1, -1);
  return rest === "" ? "]}" : `],${rest}}`;
};

const markOf = (run: string): Part =>
  partOf(`,"customFields":{"msg.run":${JSON.stringify(run)},"msg.row":"`);
const markedEnd = partOf('"}}');

/** A message that is marked with its run and row: what came of it can be looked up. */
const tagged = (message: MessageInput, json: string, run: string, row: number): string => {
  const tag = { "msg.run": run, "msg.row": `${row}` };
  if (!message.customFields) return `${json.slice(0, -1)},"customFields":${JSON.stringify(tag)}}`;
  return JSON.stringify({ ...message, customFields: { ...message.customFields, ...tag } });
};

/**
 * Rows that were fed back may still carry the mark of another run: who looks for that one would take them
 * for it.
 */
const untagged = (message: MessageInput, json: string): string => {
  if (!message.customFields) return json;
  const { "msg.run": run, "msg.row": _row, ...own } = message.customFields;
  return run === undefined ? json : JSON.stringify({ ...message, customFields: own });
};

const guarded = <T>(path: string, action: () => T): T => {
  try {
    return action();
  } catch (error) {
    throw fileError(error, `write '${path}'`, path);
  }
};

/**
 * plan.jsonl: the bodies of a run's requests, one a line, each fixed before anything is sent, so
 * that a repeat is byte for byte the same.
 */

import { createHash, hash } from "node:crypto";
import type { MessageInput } from "../../contract/message-records.ts";
import { maxRecipients } from "../../contract/messages.ts";
import { writeAll } from "../../durable/atomic-write.ts";
import { type Files, withFileError } from "../../durable/files.ts";
import { withoutCorrelationId } from "../messages/correlation.ts";
import type { PlannedChunk } from "../store/run-file.ts";

/** At most this many bytes in one body; the service takes 15 MB. */
const maxBytes = 14 * 1000 * 1000;

export interface BodiesOptions {
  readonly files: Files;
  readonly path: string;
  /** Messages of one body; 10,000 when left out. */
  readonly rows: number | undefined;
  /** After this many messages a body ends, and another begins. */
  readonly cutAt?: number | undefined;
  /** How many of the first messages are kept, as JSON without correlation ids. */
  readonly keep?: number | undefined;
  /** The run whose correlation id its messages carry. */
  readonly run: string | undefined;
  /** Members next to `messages`, for the body whose first row this is. */
  readonly members: (firstRow: number) => Readonly<Record<string, unknown>>;
}

/** A UTF-16 unit takes at most this many bytes in UTF-8. */
const maxBytesOfUnit = 3;

const head = '{"messages":[';

/** Hands texts on, many at a time: for each on its own a call takes longer than the work. */
class Joined {
  readonly #take: (text: string) => void;
  #waiting = "";

  constructor(take: (text: string) => void) {
    this.#take = take;
  }

  /** UTF-16 units that were not handed on yet. */
  get length(): number {
    return this.#waiting.length;
  }

  add(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > 16_384) this.flush();
  }

  flush(): void {
    this.#take(this.#waiting);
    this.#waiting = "";
  }
}

/** Writes bodies as they fill. */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #digest = createHash("sha256");
  readonly #hashed = new Joined((text) => void this.#digest.update(text));
  readonly #unwritten = new Joined((text) => this.#write(text));
  readonly #maxRows: number;
  readonly #descriptor: number;
  /** The JSON of the fields that say which row of which run a message is, up to the row. */
  readonly #correlation: string = "";
  readonly #chunks: PlannedChunk[] = [];
  /** The next body, with a comma after each message: one buffer for all, as strings would be collected late. */
  #body = Buffer.from(head);
  #length = head.length;
  #rows = 0;
  #first = 0;
  #offset = 0;
  /** Messages of the bodies that are written. */
  #written = 0;
  #isSealed = false;
  readonly kept: string[] = [];

  /** `identity` makes the same rows another run: it is hashed before them. */
  constructor(options: BodiesOptions, identity: readonly unknown[]) {
    const { files, path, rows = maxRecipients, run } = options;
    this.#options = options;
    this.#hashed.add(JSON.stringify(identity));
    this.#maxRows = Math.min(rows, maxRecipients);
    if (run !== undefined)
      this.#correlation = `,"customFields":{"msg.run":${JSON.stringify(run)},"msg.row":"`;
    this.#descriptor = withFileError(path, "write", () => files.create(path));
  }

  add(row: number, message: MessageInput): void {
    const { run } = this.#options;
    if (!message.customFields) {
      this.addOpen(row, JSON.stringify(message).slice(0, -1));
      return;
    }
    // Rows from a result may still carry the id of another run: a search for that run would find them.
    const own = withoutCorrelationId(message);
    const fields = "customFields" in own ? Object(own.customFields) : {};
    const customFields =
      run === undefined ? fields : { ...fields, "msg.run": run, "msg.row": `${row}` };
    const bare = JSON.stringify(own);
    this.#take(row, bare, JSON.stringify({ ...message, customFields }));
  }

  /** Adds a message without custom fields, given as its JSON without the closing brace. */
  addOpen(row: number, open: string): void {
    const correlated = this.#correlation && `${this.#correlation}${row}"}`;
    this.#take(row, `${open}}`, `${open}${correlated}}`);
  }

  /** Hashes a message that another worker sends, too. */
  hash(message: MessageInput): void {
    this.#hashed.add(JSON.stringify(withoutCorrelationId(message)));
  }

  /** The same, given as its JSON without the closing brace. */
  hashOpen(open: string): void {
    this.#hashed.add(`${open}}`);
  }

  /**
   * Messages added from now on are not hashed, and begin another body. Returns the digest of all messages without
   * their correlation ids, which differ from run to run.
   */
  seal(): string {
    if (this.#rows > 0) this.#flush();
    this.#isSealed = true;
    this.#hashed.flush();
    return this.#digest.digest("hex");
  }

  get count(): number {
    return this.#chunks.length;
  }

  /** Writes what is left. The bytes are on the disk when it returns. */
  end(): PlannedChunk[] {
    const { files, path } = this.#options;
    if (this.#rows > 0) this.#flush();
    withFileError(path, "write", () => files.syncData(this.#descriptor));
    return this.#chunks;
  }

  close(): void {
    this.#options.files.close(this.#descriptor);
  }

  /** Adds one message; it may be the first of a new body. */
  #take(row: number, bare: string, json: string): void {
    if (!this.#isSealed) this.#hashed.add(bare);
    const { cutAt = 0, keep = 0 } = this.#options;
    if (this.kept.length < keep) this.kept.push(bare);
    const left = cutAt - this.#written;
    const maxRows = left > 0 ? Math.min(left, this.#maxRows) : this.#maxRows;
    if (this.#rows >= maxRows || (this.#rows > 0 && !this.#hasRoomFor(json))) this.#flush();
    if (this.#rows === 0) this.#first = row;
    this.#unwritten.add(`${json},`);
    this.#rows += 1;
  }

  /** Measured only near the limit: measuring each row would take as long as writing it. */
  #hasRoomFor(json: string): boolean {
    const room = () => maxBytes + head.length - this.#length - 1;
    const units = this.#unwritten.length + json.length;
    if (units * maxBytesOfUnit <= room()) return true;
    this.#unwritten.flush();
    return Buffer.byteLength(json) <= room();
  }

  #write(text: string): void {
    const needed = this.#length + text.length * maxBytesOfUnit;
    if (needed > this.#body.length) {
      const larger = Buffer.alloc(2 * needed);
      this.#body.copy(larger, 0, 0, this.#length);
      this.#body = larger;
    }
    this.#length += this.#body.write(text, this.#length);
  }

  /** Writes the body; the next one begins. */
  #flush(): void {
    const { files, path, members } = this.#options;
    this.#unwritten.flush();
    // In place of the last comma.
    this.#length -= 1;
    this.#write(`${closingOf(members(this.#first))}\n`);
    const line = this.#body.subarray(0, this.#length);
    const body = line.subarray(0, -1);
    const sha256 = hash("sha256", body);
    withFileError(path, "write", () => writeAll(files, this.#descriptor, line));
    const { length } = body;
    const rows = this.#rows;
    this.#chunks.push({ offset: this.#offset, length, rows, first: this.#first, sha256 });
    this.#offset += line.length;
    this.#written += rows;
    this.#rows = 0;
    this.#length = head.length;
  }
}

const closingOf = (members: Readonly<Record<string, unknown>>): string => {
  const rest = JSON.stringify(members).slice(1, -1);
  return rest === "" ? "]}" : `],${rest}}`;
};

/** The one writer of `msg`: standard output and standard error, and nothing else writes to them. */

/** A place to write to. Secrets that live in this process are taken out of everything written. */
export interface Out {
  readonly isTTY: boolean;
  /** Width of the terminal in columns; undefined when this is no terminal. */
  readonly columns: number | undefined;
  readonly colour: boolean;
  /** Resolves when more may be written. A reader that went away (EPIPE) is not an error. */
  write(text: string): Promise<void>;
  /** For the two commands whose purpose is to print a secret into a pipe. */
  writeSecret(text: string): Promise<void>;
  writeBytes(bytes: Uint8Array): Promise<void>;
  /** The first failure of the stream (ENOSPC, EPIPE): reported by `main`, never a crash. */
  readonly failure: Error | undefined;
}

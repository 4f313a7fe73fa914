/** Questions to a person. Implemented once, in prompt.ts; absent where there is no one to ask. */

/** Every question ends with an answer or, on Ctrl-C, with MsgError("interrupted"). */
export interface Ask {
  /** A line of text; `check` returns what is wrong with it, or undefined. */
  text(question: string, options?: { check?: Check; initial?: string }): Promise<string>;
  /** The same without echo. */
  hidden(question: string, options?: { check?: Check }): Promise<string>;
  /** y/N; Enter means no. */
  confirm(question: string): Promise<boolean>;
  /** One of several; answers the value. */
  choose(
    question: string,
    options: readonly { readonly value: string; readonly label: string }[],
  ): Promise<string>;
}

export type Check = (answer: string) => string | undefined;

/** One of a list to choose from. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

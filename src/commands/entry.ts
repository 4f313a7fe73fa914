/** What the table of commands holds. */
import type { Verb } from "./command.ts";

export interface Entry {
  /** One sentence without a full stop. */
  readonly summary: string;
  readonly load: () => Promise<{ readonly default: Verb }>;
  /** Not listed by help: a second spelling of another command. */
  readonly hidden?: true;
}

/** Every command by its words, and what a first word stands for: for commands that list the others. */
export interface Tree {
  readonly table: Readonly<Record<string, Entry>>;
  readonly groups: Readonly<Record<string, string>>;
}

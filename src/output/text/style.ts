/** Whether to colour, and the few styles that are used. The only import of chalk. */
import { Chalk, type ChalkInstance } from "chalk";

/** What decides about colour: environment values as they are (empty means unset), `--no-color`, the stream. */
export interface ColourChoice {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly noColour: boolean;
  readonly isTTY: boolean;
}

/**
 * Refusals override requests: `--no-color` and NO_COLOR, then FORCE_COLOR (`0` and `false` refuse),
 * then TERM=dumb and CLICOLOR=0, then whether the stream is a terminal.
 */
export const wantsColour = ({ env, noColour, isTTY }: ColourChoice): boolean => {
  if (noColour || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.TERM === "dumb" || env.CLICOLOR === "0") return false;
  return isTTY;
};

/** The styles of a stream: identity functions if it is not coloured. */
export const styles = (colour: boolean): ChalkInstance => new Chalk({ level: colour ? 1 : 0 });

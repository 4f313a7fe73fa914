/**
 * A screen of its own on a terminal, as pagers have one: what was there before comes back at the end. A frame is
 * written at once and over the one before, so that nothing flickers, whatever the window's size has become.
 */

export interface Screen {
  /** Shows these lines, which fit, in place of those before; resolves when the terminal has taken them. */
  readonly draw: (lines: readonly string[]) => Promise<void>;
  /** Gives the terminal back as it was. */
  readonly close: () => Promise<void>;
}

const codes = {
  enter: "\x1b[?1049h\x1b[?25l",
  leave: "\x1b[?25h\x1b[?1049l",
  /** What follows is shown when it is complete, where the terminal knows of that. */
  begin: "\x1b[?2026h\x1b[H",
  end: "\x1b[J\x1b[?2026l",
  restOfLine: "\x1b[K",
} as const;

interface ScreenOptions {
  /** Writes as it is. */
  readonly put: (text: string) => Promise<void>;
  /** Makes a line harmless. */
  readonly clean: (line: string) => string;
  /** Of the window: another size asks for the same frame again. */
  readonly size: () => string;
}

export const createScreen = ({ put, clean, size }: ScreenOptions): Screen => {
  const last = { frame: "", size: "", isOpen: false };
  return {
    draw: async (lines) => {
      const rows = lines.map((line) => clean(line) + codes.restOfLine).join("\r\n");
      const frame = `${codes.begin}${rows}${codes.end}`;
      const opening = last.isOpen ? "" : codes.enter;
      if (frame === last.frame && size() === last.size) return;
      Object.assign(last, { frame, size: size(), isOpen: true });
      await put(opening + frame);
    },
    close: async () => {
      if (last.isOpen) await put(codes.leave);
      last.isOpen = false;
    },
  };
};

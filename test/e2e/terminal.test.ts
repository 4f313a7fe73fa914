/** A real terminal: colour, cards where it is narrow, questions for what is missing. */
import { expect, test } from "vitest";
import { onTerminal as dialogue, plain } from "./on-terminal.ts";
import { program, sendTo } from "./program.ts";

const msg = program();

const onTerminal = (
  args: readonly string[],
  options?: Parameters<typeof dialogue>[2],
): ReturnType<typeof dialogue> => dialogue(msg, args, options);

test("a terminal gets colour, with NO_COLOR the same text without", async () => {
  const coloured = await onTerminal(["balance", "--sandbox"]);
  expect(coloured.code).toBe(0);
  expect(coloured.screen).toContain("\u001b[");
  const uncoloured = await onTerminal(["balance", "--sandbox"], { env: { NO_COLOR: "1" } });
  expect(uncoloured.screen).not.toContain("\u001b[");
  expect(plain(coloured.screen)).toBe(plain(uncoloured.screen));
});

test("T05 rows become cards under 50 columns and fit the terminal above", async () => {
  await msg(sendTo("01000000001"));
  const narrow = plain(
    (await onTerminal(["message", "list", "--sandbox"], { columns: 49 })).screen,
  );
  expect(narrow).toMatch(/^messageId\s+M4V/m);
  // However far it has come by now, its id does not fit.
  const wide = plain((await onTerminal(["message", "list", "--sandbox"], { columns: 92 })).screen);
  expect(wide.split("\n").filter((line) => line.length > 92)).toEqual([]);
  expect(wide).toMatch(/^DATE CREATED .*MESSAGE ID .*TYPE .*MEANING/m);
  expect(wide).toMatch(/ M4V[0-9A-Z]{4}…[0-9A-Z]+ /);
});

test("missing values are asked for, and the equivalent command is shown", async () => {
  const { code, screen } = await onTerminal(["send", "--sandbox", "--to", "01000000001"], {
    answers: [
      [/sender number/, "0200000000\r"],
      [/text/, "hello\r"],
      [/Send it\?/, "y\r"],
    ],
  });
  expect(code).toBe(0);
  expect(plain(screen)).toContain("2000");
  expect(plain(screen)).toMatch(/msg send .*--sandbox.*--from 0200000000/);
});

test("Ctrl-C in a question ends with 130 and says that nothing was changed", async () => {
  const { code, screen } = await onTerminal(["send", "--sandbox", "--to", "01000000001"], {
    answers: [[/sender number/, "\u0003"]],
  });
  expect(code).toBe(130);
  expect(plain(screen)).toMatch(/nothing was (changed|sent)/);
});

test("P05 a window that is closed at a question ends with 130: nothing is sent, and Node does not abort", async () => {
  const own = program();
  const { code } = await dialogue(own, ["send", "--sandbox", "--to", "01000000001"], {
    closed: /sender number/,
  });
  // A closed window hangs up twice, and the second signal may come when Node has let go of them: 129.
  expect([129, 130]).toContain(code);
  expect((await own(["message", "list", "--sandbox", "--json"])).out).toBe("[]\n");
});

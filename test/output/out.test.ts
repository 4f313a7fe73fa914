/** The writer survives whatever happens to its stream, and lets no control through. */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createOut, printNotice } from "../../src/output/out.ts";
import { outTo, sink, viewOf } from "./sink.ts";

const plain = { colour: false, redact: (text: string) => text };

describe("a stream that fails", () => {
  const failing = (code: string, after = 0) => {
    const taken: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        if (taken.length >= after) done(Object.assign(new Error(code), { code }));
        else {
          taken.push(chunk.toString());
          done();
        }
      },
    });
    return { stream, taken };
  };

  test("D08 EPIPE and ENOSPC are kept, never thrown, and end all writing", async () => {
    for (const code of ["EPIPE", "ENOSPC"]) {
      const { stream, taken } = failing(code, 1);
      const out = createOut(stream, plain);
      await out.write("one");
      expect(out.failure).toBeUndefined();
      await out.write("two");
      expect(out.failure).toMatchObject({ code });
      await out.write("three");
      await out.writeBytes(new Uint8Array(3));
      expect(out.failure).toMatchObject({ code });
      expect(taken).toEqual(["one"]);
    }
  });

  test("a stream that was closed before counts as a failure", async () => {
    const stream = new PassThrough();
    stream.destroy();
    const out = createOut(stream, plain);
    await out.write("x");
    await out.write("y");
    expect(out.failure).toBeInstanceOf(Error);
  });

  test("waiting for a full stream ends when it goes away", async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const out = createOut(stream, plain);
    const written = out.write("more than it takes");
    stream.destroy(Object.assign(new Error("gone"), { code: "EPIPE" }));
    await written;
    expect(out.failure).toMatchObject({ code: "EPIPE" });
  });
});

test("a full stream is waited for", async () => {
  const stream = new PassThrough({ highWaterMark: 4 });
  const out = createOut(stream, plain);
  const order: string[] = [];
  const written = out.write("full up").then(() => order.push("written"));
  await new Promise(setImmediate);
  order.push("waiting");
  stream.read();
  await written;
  expect(order).toEqual(["waiting", "written"]);
  expect(stream.listenerCount("close")).toBe(0);
});

describe("the guard", () => {
  const written = async (text: string, terminal: { tty?: number; colour?: boolean } = {}) => {
    const into = sink();
    await outTo(into, terminal).write(text);
    return into.text();
  };

  test("T01 a control that a renderer forgot is shown, not obeyed", async () => {
    expect(await written("a\u001b]52;c;x\u0007\u009b2J\u007f\u0000b")).toBe(
      "a\\x1b]52;c;x\\x07\\x9b2J\\x7f\\x00b",
    );
    expect(await written("\u001b[2J\u001b[1;1H", { tty: 80, colour: true })).toBe(
      "\\x1b[2J\\x1b[1;1H",
    );
  });

  test("line ends and tabs pass", async () => {
    expect(await written("a\tb\nc\r\nd\n")).toBe("a\tb\nc\r\nd\n");
  });

  test("styles pass where colours are on, redrawing a line on a terminal", async () => {
    expect(await written("\u001b[1mB\u001b[22m", { colour: true })).toBe("\u001b[1mB\u001b[22m");
    expect(await written("\u001b[1mB\u001b[22m")).toBe("\\x1b[1mB\\x1b[22m");
    expect(await written("\r\u001b[2K1 of 2", { tty: 80 })).toBe("\r\u001b[2K1 of 2");
    expect(await written("\r\u001b[2K1 of 2")).toBe("\\x0d\\x1b[2K1 of 2");
  });

  test("bytes of a file pass as they are", async () => {
    const into = sink();
    await outTo(into).writeBytes(Buffer.from("\u001b[0m"));
    expect(into.text()).toBe("\u001b[0m");
  });
});

describe("a real process", () => {
  const folder = mkdtempSync(join(tmpdir(), "msg-out-"));
  const program = join(folder, "program.mjs");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    const contents = `
      import { createOut } from "./src/output/out.ts";
      const out = createOut(process.stdout, { colour: false, redact: (text) => text });
      let lines = 0;
      while (!out.failure && lines < 200_000) { await out.write("line " + lines + "\\n"); lines += 1; }
      process.stderr.write(JSON.stringify({ lines, code: out.failure?.code ?? null }));
      process.exitCode = 7;
    `;
    const stdin = { contents, resolveDir: process.cwd(), loader: "ts" } as const;
    const result = await build({
      stdin,
      bundle: true,
      format: "esm",
      platform: "node",
      write: false,
    });
    writeFileSync(program, result.outputFiles[0]?.contents ?? "");
  });

  const run = (stdout: "pipe" | number, onFirst?: (close: () => void) => void) =>
    new Promise<{ code: number | null; err: string; out: string }>((resolve) => {
      const child = spawn(process.execPath, [program], { stdio: ["ignore", stdout, "pipe"] });
      let [err, out] = ["", ""];
      child.stderr?.on("data", (chunk) => {
        err += chunk;
      });
      child.stdout?.on("data", (chunk) => {
        out += chunk;
        onFirst?.(() => child.stdout?.destroy());
      });
      child.on("close", (code) => resolve({ code, err, out }));
    });

  test("D08 a reader that goes away costs neither the exit code nor a stack trace", async () => {
    const { code, err } = await run("pipe", (close) => close());
    expect(JSON.parse(err)).toMatchObject({ code: "EPIPE" });
    expect(code).toBe(7);
  });

  test("D08 a full disk behind standard output is reported, not thrown", async () => {
    const full = openSync("/dev/full", "w");
    const { code, err } = await run(full);
    closeSync(full);
    expect(JSON.parse(err)).toMatchObject({ code: "ENOSPC" });
    expect(code).toBe(7);
  });

  test("a slow reader gets every line in order", async () => {
    const { code, err, out } = await run("pipe");
    expect(JSON.parse(err)).toEqual({ lines: 200_000, code: null });
    const lines = out.split("\n");
    expect(lines).toHaveLength(200_001);
    expect(lines[199_999]).toBe("line 199999");
    expect(code).toBe(7);
  });
});

test("a terminal that does not know its width breaks no sentence at every word", async () => {
  const into = sink();
  const sentence = "More results: --offset 2 or --all";
  await printNotice(outTo(into, { tty: 0 }), viewOf(), sentence);
  expect(into.text()).toBe(`${sentence}\n`);
});

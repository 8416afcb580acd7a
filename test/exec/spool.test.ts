import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { cleanSpool } from "../../src/exec/index.ts";
import { Output } from "../../src/exec/output.ts";
import { removeEmpty, usableSpoolDirectory } from "../../src/exec/spool.ts";
import { run, temporaryDirectory } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);

describe("where no file can be made", () => {
  const bare = { spoolDirectory: "", maxOutputBytes: 1_000 };
  const before = readdirSync(directory);

  test.each([
    ["echo $0 $- a", {}, "/bin/bash hBc a\n"],
    ["cat; echo $#", { stdin: "in\n" }, "in\n0\n"],
    ["true", { stdin: "in\n" }, ""],
    ["ls /dev/fd", {}, "0  1  2  3\n"],
    ["echo $SHLVL-$BASH_EXECUTION_STRING", {}, "1-echo $SHLVL-$BASH_EXECUTION_STRING\n"],
  ])("%j runs all the same", async (text, more, shown) => {
    const { exit, output, truncated } = await run(directory, text, { ...bare, ...more });
    expect({ exit, output, truncated }).toEqual({ exit: { kind: "exited", code: 0 }, output: shown, truncated: null });
  });

  test("an output that is too long is cut, and there is no file of it", async () => {
    const { output, truncated } = await run(directory, "seq 9999", bare);
    expect(truncated).toMatchObject({ file: undefined, complete: false });
    expect(output).toContain("no file could be written");
  });

  test("the directory at the end is known only of a text that cannot move", async () => {
    expect(await run(directory, "cd /", bare)).toMatchObject({ cwd: directory, cwdKnown: false });
    expect(await run(directory, "true", bare)).toMatchObject({ cwd: directory, cwdKnown: true });
    expect(readdirSync(directory)).toEqual(before);
  });

  test("another directory is made among the temporary files, and taken away when nothing is kept in it", () => {
    const other = usableSpoolDirectory("/dev/null/state", directory);
    expect(statSync(other).mode & 0o777).toBe(0o700);
    removeEmpty(other);
    expect(readdirSync(directory)).toEqual(before);
    expect(usableSpoolDirectory("/dev/null/state", "/dev/null")).toBe("");
    expect(usableSpoolDirectory(join(directory, "spool"), "/dev/null")).toBe(join(directory, "spool"));
  });
});

describe("a long output", () => {
  test("is head, tail, and a marker that says what was left out and where it is", async () => {
    const { output, truncated } = await run(directory, "seq 50000", { maxOutputBytes: 4_000 });
    const file = truncated?.file ?? "";
    const [head = "", tail = ""] = output.split(/\[guarded-sh: .*\]\n/);
    expect(output).toContain(
      `[guarded-sh: ${truncated?.omittedBytes} bytes left out; the whole output is in ${file}]\n`,
    );
    expect({ starts: head.startsWith("1\n2\n3\n"), ends: tail.endsWith("\n49999\n50000\n") }).toEqual({
      starts: true,
      ends: true,
    });
    expect(head.length + tail.length + (truncated?.omittedBytes ?? 0)).toBe(288_894);
    expect(readFileSync(file, "utf8").replaceAll("\r", "")).toMatch(/^1\n2\n[\d\n]*\n49999\n50000\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, "spool")).mode & 0o777).toBe(0o700);
  });

  test.each([
    ["seq 200000", 1_288_895],
    ["yes éè | head -n 300000", 1_500_000],
    ["yes $'\\e[31mred\\e[0m text' | head -n 200000", 1_800_000],
    ["yes 12 | head -c 1000001", 1_000_001],
  ])("%s: what was left out is counted as it would be shown", async (text, bytes) => {
    const { output, truncated } = await run(directory, text, { maxOutputBytes: 49_152 });
    const shown = output.replace(/\n?\[guarded-sh: .*\]\n/, (marker) => (marker.startsWith("\n") ? "\n" : ""));
    expect(Buffer.byteLength(shown) + (truncated?.omittedBytes ?? 0)).toBe(bytes);
  });

  test("is counted the same wherever its pieces begin, in a colour's sequence too", () => {
    const all = Buffer.from("\x1b[31mred\x1b[0m text\r\n".repeat(100_000));
    const sums = Array.from({ length: 24 }, (_, i) => {
      const spoolPath = join(directory, "spool", `guarded-sh-pieces-${i}.output`);
      const output = new Output({ size: { columns: 80, rows: 24 }, maxBytes: 1_000, raw: false, spoolPath });
      for (let at = 0; at < all.length; at += 500 + i) output.write(all.subarray(at, at + 500 + i));
      const { output: text, truncated } = output.finish();
      const marker = Buffer.byteLength(/\[guarded-sh: .*\]\n/.exec(text)?.[0] ?? "");
      return Buffer.byteLength(text) - marker + (truncated?.omittedBytes ?? 0);
    });
    expect(new Set(sums)).toEqual(new Set([900_000]));
  });

  test("is not read where it will be left out, and its end is what a person would see", () => {
    const spoolPath = join(directory, "spool", "guarded-sh-long.output");
    const output = new Output({ size: { columns: 80, rows: 24 }, maxBytes: 1_000, raw: false, spoolPath });
    for (let at = 0; at < 100_000; at += 1) output.write(Buffer.from(`\x1b[32mline\x1b[0m ${at} é\r\n`));
    output.write(Buffer.from("10%\r50%\rSure? "));
    expect(output.currentLine()).toBe("Sure?");
    const { output: text, truncated } = output.finish();
    expect(text).toMatch(/^line 0 é\nline 1 é\n/);
    expect(text).toMatch(/\nline 99998 é\nline 99999 é\nSure\? $/);
    expect(text.split("\n").filter((line) => !/^(line \d+ é|\[guarded-sh: .*|Sure\? )$/.test(line))).toEqual([]);
    expect(Buffer.byteLength(text)).toBeLessThan(1_000 + 200);
    // 100,000 lines of what the colours are no part of, and `Sure? `.
    const marker = Buffer.byteLength(/\[guarded-sh: .*\]\n/.exec(text)?.[0] ?? "");
    expect(Buffer.byteLength(text) - marker + (truncated?.omittedBytes ?? 0)).toBe(488_890 + 900_000 + 6);
  });

  test("that ends as few lines is whole, and leaves no file", async () => {
    const before = readdirSync(join(directory, "spool")).length;
    const { output, truncated } = await run(directory, "for i in {1..9999}; do printf '\\rstep %5d' $i; done", {
      maxOutputBytes: 2_000,
    });
    expect({ output, truncated }).toEqual({ output: "step  9999", truncated: null });
    expect(readdirSync(join(directory, "spool")).length).toBe(before);
  });

  test("beyond the file's limit says that the file is only its beginning", () => {
    const spoolPath = join(directory, "spool", "guarded-sh-limit.output");
    const output = new Output({
      size: { columns: 80, rows: 24 },
      maxBytes: 100,
      raw: false,
      spoolPath,
      maxSpoolBytes: 1_000,
    });
    for (let at = 0; at < 300; at += 1) output.write(Buffer.from(`line ${at}\r\n`));
    expect(output.finish().truncated).toMatchObject({ complete: false, file: spoolPath });
    expect(statSync(spoolPath).size).toBe(1_000);
  });

  test("whose file cannot be written is still head and tail", () => {
    const spoolPath = join(directory, "nowhere", "x.output");
    const output = new Output({ size: { columns: 80, rows: 24 }, maxBytes: 100, raw: false, spoolPath });
    for (let at = 0; at < 300; at += 1) output.write(Buffer.from(`line ${at}\r\n`));
    const { output: text, truncated } = output.finish();
    expect(truncated).toMatchObject({ complete: false, file: undefined });
    expect(text).toContain("bytes left out; no file could be written]");
  });
});

describe("cleaning the spool", () => {
  test("removes files of ours that are older than seven days, and nothing else", () => {
    const { path: spool, remove: removeSpool } = temporaryDirectory();
    const id = "0123456789ab-cdef-0123-4567-89abcdef0123".slice(-36);
    const names = [`guarded-sh-${id}.output`, `guarded-sh-${id}.prologue`, "notes.output", "guarded-sh-x.output"];
    for (const name of names) {
      writeFileSync(join(spool, name), "");
      utimesSync(join(spool, name), 0, 0);
    }
    writeFileSync(join(spool, `guarded-sh-${id}.stdin`), "");
    expect(cleanSpool(spool).sort()).toEqual(names.slice(0, 2).sort());
    expect(readdirSync(spool).sort()).toEqual([...names.slice(2), `guarded-sh-${id}.stdin`].sort());
    expect(cleanSpool(join(spool, "missing"))).toEqual([]);
    removeSpool();
  });
});

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HEAVY, run, temporaryDirectory, until } from "./terminal.ts";

const { path: directory, remove } = temporaryDirectory();
afterAll(remove);

describe("output on a terminal", () => {
  test("is complete, however fast the program ends", async () => {
    const lengths = new Set<number>();
    for (let at = 0; at < (HEAVY ? 200 : 20); at += 1) {
      const { output } = await run(directory, "head -c 20480 /dev/zero | tr '\\0' h");
      lengths.add(output.length);
    }
    expect([...lengths]).toEqual([20_480]);
  });

  test("is complete in every one of many parallel runs, and leaves no descriptor behind", async () => {
    await run(directory, "true");
    const before = readdirSync("/proc/self/fd").length;
    const count = HEAVY ? 200 : 30;
    const texts = Array.from({ length: count }, (_, at) => `seq ${at} ${at + 999} | tail -n 1000`);
    const executions = await Promise.all(texts.map((text) => run(directory, text)));
    const expected = texts.map((_, at) => Array.from({ length: 1_000 }, (_, line) => `${at + line}\n`).join(""));
    expect(executions.map(({ output }) => output)).toEqual(expected);
    expect(await until(() => readdirSync("/proc/self/fd").length <= before, 20_000)).toBe(true);
  });

  test("keeps a slow character whole", async () => {
    const { output } = await run(directory, "printf 'x \\xe2'; sleep 0.1; printf '\\x80\\x94 y'");
    expect(output).toBe("x — y");
  });

  test("keeps every character of many", async () => {
    const { output } = await run(directory, "for i in {1..2000}; do printf 你你你你你; done", {
      maxOutputBytes: 100_000,
    });
    expect(output).toBe("你".repeat(10_000));
  });

  test("shows invalid UTF-8 as replacement characters, and drops NUL", async () => {
    const { output } = await run(directory, "printf 'a\\xff\\0b\\xc3'");
    expect(output).toBe("a\ufffdb\ufffd");
  });

  test("keeps the bytes when raw", async () => {
    const { output, bytes } = await run(directory, "printf '\\033[1ma\\033[0m\\r\\xff\\0\\n'", { raw: true });
    expect(Buffer.from(bytes ?? [])).toEqual(Buffer.from("\x1b[1ma\x1b[0m\r\xff\0\r\n", "latin1"));
    expect(output).toBe("\x1b[1ma\x1b[0m\r\ufffd\0\r\n");
  });

  test("comes as it is written, whole characters only", async () => {
    const parts: string[] = [];
    // The command goes on when what it has written by then has come.
    const onOutput = (text: string) => {
      parts.push(text);
      if (parts.length < 3) writeFileSync(join(directory, `part${parts.length}`), "");
    };
    const wait = (part: number) => `until [ -e part${part} ]; do sleep 0.02; done`;
    const text = `printf 'a\\xe2'; ${wait(1)}; printf '\\x80\\x94'; ${wait(2)}; echo b`;
    await run(directory, text, {}, { onOutput });
    expect([parts.slice(0, 2), parts.slice(2).join("")]).toEqual([["a", "—"], "b\r\n"]);
  });

  test("goes to a terminal of the size that was asked for", async () => {
    const { output } = await run(directory, "stty size <&1; test -t 1 && test -t 2 && echo terminal; tty; echo here");
    expect(output).toContain("terminal\nnot a tty\nhere\n");
    const { output: size } = await run(directory, "tput -T xterm cols; tput -T xterm lines", {
      size: { columns: 77, rows: 33 },
    });
    expect(size).toBe("77\n33\n");
  });

  test("has a bound in memory", async () => {
    const megabytes = HEAVY ? 1_024 : 24;
    const text = `head -c ${megabytes * 1_048_576} /dev/zero | tr '\\0' x`;
    const more = { timeoutMs: 300_000, maxSpoolBytes: HEAVY ? 2 ** 31 : 1_000_000 };
    let highest = 0;
    const onBytes = () => {
      highest = Math.max(highest, process.memoryUsage.rss());
    };
    const before = process.memoryUsage.rss();
    const { output, truncated } = await run(directory, text, more, { onBytes });
    expect(output.length).toBeLessThan(50_000);
    expect(truncated?.omittedBytes).toBe(megabytes * 1_048_576 - 49_152);
    expect(highest - before).toBeLessThan(150 * 1_048_576);
  }, 300_000);

  test("never includes a descriptor of ours in the command", async () => {
    const other = run(directory, "sleep 0.5");
    const { output } = await run(directory, "for fd in /proc/$$/fd/*; do readlink $fd; done; :");
    await other;
    expect(output).not.toContain("ptmx");
    expect(output.split("\n").filter((line) => /pts|pipe|socket/.test(line)).length).toBe(2);
  });
});

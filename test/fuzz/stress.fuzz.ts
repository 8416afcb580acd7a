import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { check, openGuard } from "../../src/guard.ts";
import { ourReading } from "../oracle/report.ts";
import { LONG_PIPELINE, longScript, stressTexts } from "./stress.ts";
import { timed } from "./time.ts";

const KIB = 1024;

describe("texts made to take long", () => {
  test("32 KiB of nested, unclosed or endless anything is answered within 150 ms", { timeout: 600_000 }, () => {
    const times = stressTexts(32 * KIB).map(({ name, text }) => ({ name, took: timed(() => ourReading(text), 150) }));
    const longest = times.sort((a, b) => b.took - a.took);
    console.info(
      longest
        .slice(0, 5)
        .map(({ name, took }) => `${took.toFixed(0)} ms: ${name}`)
        .join("\n"),
    );
    expect(longest.filter(({ took }) => took > 150)).toEqual([]);
  });

  test("a pipeline of 5,000 commands is answered within 150 ms", { timeout: 60_000 }, () => {
    expect(timed(() => ourReading(LONG_PIPELINE), 150)).toBeLessThan(150);
  });

  test("32 KiB are judged by the presets within 1.2 s, files of the machine looked at", { timeout: 600_000 }, () => {
    const guard = openGuard({
      policyFiles: [resolve(import.meta.dirname, "presets.toml")],
      cwd: "/",
      env: { HOME: "/nowhere" },
    });
    const times = stressTexts(32 * KIB).map(({ name, text }) => ({
      name,
      took: timed(() => check(guard, text), 1200),
    }));
    const longest = times.sort((a, b) => b.took - a.took);
    console.info(
      longest
        .slice(0, 5)
        .map(({ name, took }) => `${took.toFixed(0)} ms: ${name}`)
        .join("\n"),
    );
    expect(longest.filter(({ took }) => took > 1200)).toEqual([]);
  });

  test("1 MiB of script is answered within 2 s", { timeout: 600_000 }, () => {
    const took = timed(() => ourReading(longScript(KIB * KIB - 1 * KIB)), 2000);
    console.info(`${took.toFixed(0)} ms for 1 MiB of script`);
    expect(took).toBeLessThan(2000);
  });

  test("1 MiB of nested, unclosed or endless anything is answered within 2 s", { timeout: 1_200_000 }, () => {
    const times = stressTexts(KIB * KIB - 1 * KIB).map(({ name, text }) => ({
      name,
      took: timed(() => ourReading(text), 2000),
    }));
    const longest = times.sort((a, b) => b.took - a.took);
    console.info(
      longest
        .slice(0, 5)
        .map(({ name, took }) => `${took.toFixed(0)} ms: ${name}`)
        .join("\n"),
    );
    expect(longest.filter(({ took }) => took > 2000)).toEqual([]);
  });
});

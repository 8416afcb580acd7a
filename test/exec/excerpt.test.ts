import { describe, expect, test } from "vitest";
import { BYTES, Excerpt, type Measure, UTF8 } from "../../src/exec/excerpt.ts";

function excerpt(max: number, parts: readonly string[], measure: Measure = UTF8) {
  const kept = new Excerpt(max, measure);
  for (const part of parts) kept.add(part);
  return kept.result();
}

describe("an excerpt", () => {
  test("is everything up to its limit", () => {
    expect(excerpt(10, ["abcde", "fghij"])).toEqual({ head: "abcdefghij", tail: "", omittedBytes: 0 });
    expect(excerpt(10, ["abcdefghij"])).toEqual({ head: "abcdefghij", tail: "", omittedBytes: 0 });
  });

  test("is head and tail beyond it", () => {
    expect(excerpt(10, ["abcdefghijk"])).toEqual({ head: "abcde", tail: "ghijk", omittedBytes: 1 });
    expect(excerpt(10, [..."abcdefghijklmnop"])).toEqual({ head: "abcde", tail: "lmnop", omittedBytes: 6 });
  });

  test("ends at line ends that are near", () => {
    expect(excerpt(20, ["a\nbcdefgh\nijkl\n", "x\n".repeat(50), "yz\nabcdefg\n"])).toEqual({
      head: "a\nbcdefgh\n",
      tail: "abcdefg\n",
      omittedBytes: 5 + 100 + 3,
    });
  });

  test.each(["é", "你", "😀", "a\u0301"])("never cuts a character: %s", (character) => {
    const whole = character.repeat(100);
    const { head, tail, omittedBytes } = excerpt(31, [whole]);
    expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omittedBytes).toBe(Buffer.byteLength(whole));
    expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(31);
    expect(`${head}${tail}`).not.toMatch(
      /\ufffd|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/,
    );
  });

  test("counts and cuts bytes when it holds bytes", () => {
    const bytes = Buffer.from("é".repeat(20)).toString("latin1");
    const { head, tail, omittedBytes } = excerpt(14, [bytes], BYTES);
    expect(Buffer.from(head + tail, "latin1").toString()).toBe("é".repeat(6));
    expect(omittedBytes).toBe(28);
  });

  test("omits nothing silently, whatever the pieces", () => {
    const text = Array.from({ length: 500 }, (_, at) => `${"x".repeat(at % 37)}é\n`).join("");
    for (const size of [1, 5, 64, 1_000, 100_000]) {
      for (const max of [0, 1, 10, 100, 3_000]) {
        const { head, tail, omittedBytes } = excerpt(max, text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omittedBytes).toBe(Buffer.byteLength(text));
        expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(max);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      }
    }
  });
});

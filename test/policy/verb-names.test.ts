import { describe, expect, test } from "vitest";
import { judge, policyOf } from "./judge.ts";

const decide = (text: string, ...lines: string[]) => judge(text, policyOf(lines)).decision;

describe("a verb has several names, and a rule for one means all of them", () => {
  test.each(["npm install x", "npm i x", "npm add x", "npm isntall x", "npm --prefix d i x", "sudo npm in x"])(
    "deny npm install *: %s",
    (text) => expect(decide(text, "deny npm install *", "allow *")).toBe("deny"),
  );

  test.each(["npm i x", "npm install x"])("deny npm i *: %s", (text) =>
    expect(decide(text, "deny npm i *", "allow *")).toBe("deny"),
  );

  test("an allow means them too, and no other verb", () => {
    expect(decide("npm un x", "allow npm uninstall *")).toBe("allow");
    expect(decide("npm up x", "allow npm uninstall *")).toBe("ask");
  });
});

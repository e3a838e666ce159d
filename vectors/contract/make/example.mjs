// Runs the example of ../README.md: what the comment behind a write says must be the first rule that it breaks.
import { readFileSync } from "node:fs";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const groups = JSON.parse(read("../../v1/documents.json")).testGroups;
const example = (kind) => JSON.parse(groups.find(({ document }) => document === kind).tests[0].text);
const values = {
  couple: { ...example("couple"), userIds: ["alice", "bob"] },
  answer: example("answer"),
  legacy: example("legacy-answer"),
  path: "couples/c1/daily_question/2026-11-28/answers/alice",
};

const [, code] = /```js\n([\s\S]*?)```/.exec(read("../README.md"));
const { check } = await import("../documents.mjs");
const lines = code.split("\n").filter((line) => !line.startsWith("import "));
const calls = lines.filter((line) => line.startsWith("write("));
const { write } = new Function("check", `${lines.filter((line) => !calls.includes(line)).join("\n")}; return { write };`)(check);

for (const line of calls) {
  const [, call, expected] = /^(write\(.*\)); \/\/ ([\w.]+)/.exec(line);
  const [broken] = new Function("write", ...Object.keys(values), `return ${call}`)(write, ...Object.values(values));
  if ((broken?.rule ?? "stored") !== expected) throw new Error(`README.md: ${line} breaks ${broken?.rule ?? "no rule"}`);
}
console.log(`README.md: ${calls.length} writes as it says`);

// An adapter for `closer-keys vectors run`: the server's contract by vectors/contract/documents.mjs. Node 18 or later. No package.
import { createInterface } from "node:readline";
import { check } from "../../contract/documents.mjs";

/** The rules that need a writer. `document.check` asks for the shape, and for the version after `previous`. */
const ofWriters = /\.(notAnUpdate|notAMember|notTheOwner|notTheServer)$/;
const operations = {
  "document.check": ({ document, text, previous }) =>
    check(document, text, previous === undefined ? {} : { previous, as: "$server" }).broken.filter(({ rule }) => !ofWriters.test(rule)),
  "document.write": ({ document, text, ...options }) => {
    const names = ["previous", "as", "path", "couple"].filter((name) => options[name] !== undefined);
    return check(document, text, Object.fromEntries(names.map((name) => [name, options[name]]))).broken;
  },
};

function answer({ cmd, op, case: test }) {
  if (cmd === "start") return { features: Object.keys(operations) };
  const [broken] = operations[op](test);
  return broken ? { error: broken.rule } : { output: {} };
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.cmd === "stop") process.exit();
  console.log(JSON.stringify({ seq: message.seq, ...answer(message) }));
}

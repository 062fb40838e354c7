/**
 * Every way an endpoint can treat a raw transaction, by every `send` setting, with transactions that
 * are really signed: what was sent where, what the client saw, what became of it on the chain.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { harness } from "../support/harness.mjs";
import { Signer } from "../support/signing.mjs";
import { printTable } from "../support/table.mjs";

const RAW = "eth_sendRawTransaction";
const LOOK_UP = "eth_getTransactionByHash";
const ATTEMPT_MS = 2000;
const MODES = ["once", "resend", "broadcast"];
const FORWARD = { forward: true };
const LOST = { mode: "reset", when: "after", ...FORWARD };
/** Only the transaction's own answer. */
const ONCE_LOST = { ...LOST, method: RAW };
/** Of a look-up: no answer that would tell. */
const MUTE = { mode: "rpc_error", method: LOOK_UP, code: -32603, message: "indexing" };
const error = (message) => ({ mode: "rpc_error", method: RAW, code: -32000, message });
const LOW = error("nonce too low");

/** What `a` and `b` do, and what the client hears by `once`, `resend` and `broadcast`. */
const ROWS = [
  ["both are well", [], [], "hash", "hash", "hash"],
  ["a refuses the connection", ["refuse"], [], "unknown", "hash", "hash"],
  ["a's answer is lost", [LOST], [], "unknown", "hash", "hash"],
  ["a never answers", ["hang"], [], "unknown", "hash", "hash"],
  [
    "a is too late",
    [{ mode: "slow", ms: 3 * ATTEMPT_MS, ...FORWARD }],
    [],
    "unknown",
    "hash",
    "hash",
  ],
  ["a breaks off", ["cut"], [], "unknown", "hash", "hash"],
  ["a answers 502", [{ mode: "status", status: 502, ...FORWARD }], [], "unknown", "hash", "hash"],
  ["a is throttled", [{ mode: "rate_limit", retry_after: 1 }], [], "limited", "hash", "hash"],
  ["a's pool is full", [error("txpool is full")], [], "refused", "hash", "hash"],
  ["a cannot see the funds", [error("insufficient funds")], [], "refused", "refused", "hash"],
  ["both refuse", [LOW], [LOW], ...Array(3).fill("refused")],
  ["a is lost, b refuses and is mute", [ONCE_LOST], [LOW, MUTE], "unknown", "hash", "hash"],
  ["a is lost, both are mute", [ONCE_LOST, MUTE], [LOW, MUTE], ...Array(3).fill("unknown")],
  ["a is lost, b refuses", [LOST], [error("insufficient funds")], "unknown", "hash", "hash"],
  ["a hangs, b refuses", ["hang"], [error("insufficient funds")], "unknown", "unknown", "unknown"],
  ["both are lost", [LOST], [LOST], "unknown", "unknown", "unknown"],
  ["both are down", ["refuse"], ["refuse"], "unknown", "unknown", "unknown"],
];

const rows = [];
let t;
let accounts = 0;

before(async () => {
  const base = { protocol: "evm", chain_id: 31337, attempt_timeout_ms: ATTEMPT_MS };
  const cells = ROWS.flatMap((_, row) => MODES.map((send) => [`ROUTE_${send}_${row}`, send]));
  t = await harness({
    chain: { accounts: ROWS.length * MODES.length },
    service: { state: "isolate" },
    // A route of its own for each: what one has learnt is not to matter to the next.
    routes: Object.fromEntries(
      cells.map(([name, send]) => [name.toUpperCase(), { ...base, endpoints: ["a", "b"], send }]),
    ),
  });
});

after(async () => {
  await t?.stop();
  printTable(
    "Sends",
    ["what happens", "`send`", "to a", "to b", "look-ups", "client", "on the chain"],
    rows,
  );
});

const heard = ({ status, result, error }, hash) => {
  if (result !== undefined) return result === hash ? "hash" : `another hash: ${result}`;
  if (error.data?.outcome === "unknown") return status === 504 ? "unknown" : `unknown as ${status}`;
  return status === 200 ? "refused" : status === 429 ? "limited" : `${status} ${error.code}`;
};

/** What was sent has had time to arrive: the latest answer is `3 * ATTEMPT_MS` late. */
async function settled(hash, expected) {
  const mined = () => t.chain.rpc("eth_getTransactionReceipt", [hash]);
  return expected ? Boolean(await t.until(mined)) : Boolean(await mined());
}

describe("a raw transaction", () => {
  for (const [row, [what, doneByA, doneByB, ...expected]] of ROWS.entries()) {
    for (const [column, send] of MODES.entries()) {
      test(`${what}, send = ${send}`, async () => {
        const { a, b } = t.endpoint;
        await t.heal();
        const wallet = new Signer(t.chain, accounts++);
        const { raw, hash } = await wallet.sign();
        for (const fault of doneByA) await a.set(fault);
        for (const fault of doneByB) await b.set(fault);
        const answer = await t.rpc(RAW, [raw], { path: `/${send}-${row}` });
        const client = heard(answer, hash);
        const onChain = await settled(hash, client === "hash");
        const lookUps = a.hits(LOOK_UP) + b.hits(LOOK_UP);
        rows.push([what, send, a.hits(RAW), b.hits(RAW), lookUps, client, onChain ? "yes" : "no"]);

        assert.equal(client, expected[column], answer.text);
        for (const seen of [...a.requests, ...b.requests]) {
          const { method, params } = JSON.parse(seen.body);
          assert.deepEqual(params, [method === RAW ? raw : hash], "the same transaction");
        }
        assert.ok(a.hits(RAW) <= 1 && b.hits(RAW) <= 1, "each endpoint is asked once");
        if (send === "once") assert.equal(b.hits(), 0);
        if (onChain) assert.ok(["hash", "unknown"].includes(client), "a false failure");
        if (client === "hash") assert.ok(onChain, "a false success");
        // What was just handed on may be mined in this moment.
        await t.until(async () => (await wallet.mined()) === Number(await settled(hash, false)));
      });
    }
  }
});

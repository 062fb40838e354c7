/**
 * A contract with two functions, assembled by hand: `answer()` gives 42, `fail()` reverts with the
 * reason "not today".
 */

export const ABI = ["function answer() view returns (uint256)", "function fail() view"];
export const REASON = "not today";

const hex = (n) => n.toString(16).padStart(2, "0");
const word = (n) => n.toString(16).padStart(64, "0");
const push = (n) => `60${hex(n)}`;

const ANSWER = "85bb7d69";
const FAIL = "a9cc4718";
/** `Error(string)` with its argument. */
const REVERT_DATA = `08c379a0${word(32)}${word(REASON.length)}${Buffer.from(REASON).toString("hex").padEnd(64, "0")}`;
const REVERT_LENGTH = REVERT_DATA.length / 2;

// The selector stays on the stack; each comparison jumps to its function.
const select = (selector, at) => `8063${selector}14${push(at)}57`; // DUP1 PUSH4 EQ PUSH1 JUMPI
const DISPATCH_LENGTH = 6 + 2 * 10 + 5;
const ANSWER_CODE = `5b${push(42)}${push(0)}52${push(32)}${push(0)}f3`; // MSTORE(0, 42) RETURN(0, 32)
const FAIL_AT = DISPATCH_LENGTH + ANSWER_CODE.length / 2;
const FAIL_LENGTH = 13;
const DATA_AT = FAIL_AT + FAIL_LENGTH;
// JUMPDEST CODECOPY(0, DATA_AT, length) REVERT(0, length)
const FAIL_CODE = `5b${push(REVERT_LENGTH)}${push(DATA_AT)}${push(0)}39${push(REVERT_LENGTH)}${push(0)}fd`;
const RUNTIME = [
  `${push(0)}35${push(0xe0)}1c`, // CALLDATALOAD(0) >> 224
  select(ANSWER, DISPATCH_LENGTH),
  select(FAIL, FAIL_AT),
  `${push(0)}${push(0)}fd`, // REVERT(0, 0)
  ANSWER_CODE,
  FAIL_CODE,
  REVERT_DATA,
].join("");
const RUNTIME_LENGTH = RUNTIME.length / 2;
const INIT_LENGTH = 11;

/** What a transaction without `to` carries to create it. */
export const BYTECODE = `0x${push(RUNTIME_LENGTH)}80${push(INIT_LENGTH)}${push(0)}39${push(0)}f3${RUNTIME}`;

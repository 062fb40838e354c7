import { turn } from "./clock.mjs";

/**
 * Cheaper wake-ups. wasm-bindgen's executor asks for each with `queueMicrotask`; workerd's is a
 * native call that makes a new function of the callback, the engine's own `then` a tenth of that.
 */
const settled = Promise.resolve();

/** Has `then` do the work of the global `queueMicrotask`. What a callback throws is reported still. */
export function cheapen() {
  globalThis.queueMicrotask = (callback) => {
    settled.then(() => {
      try {
        turn(callback);
      } catch (error) {
        reportError(error);
      }
    });
  };
}

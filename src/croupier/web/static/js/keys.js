// Keys press the button that carries them (data-key); never while something is typed, and never twice in a row by accident.
const PAUSE = 120;
const ANSWERS = ".acts .act, form.bets .primary, .deal-live button.primary, .deal-live .offer-buttons.big .btn";
let lately = 0;

const isTyping = (target) => target.closest?.("input, select, textarea, [contenteditable]") !== null;

/** The second click of a double click never answers what came in the place of the first. */
export function listenForDoubles() {
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest?.(ANSWERS)) { event.preventDefault(); event.stopPropagation(); }
  }, true);
}

export function listenForKeys(root = document) {
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.key.length === 1 && document.documentElement.dataset.keys === "off") return; // turned off by the person
    if (isTyping(event.target) && event.key !== "Enter") return;
    if (event.key === "Enter" && event.target.closest?.("a, button, input, select, summary")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const button = root.querySelector(`[data-key="${CSS.escape(key)}"]:not([disabled])`);
    if (!button || event.timeStamp - lately < PAUSE) return;
    lately = event.timeStamp;
    event.preventDefault();
    button.click();
  });
}

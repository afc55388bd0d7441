// Keys of the trainer: what a button or link names as its key presses it. What a key does is decided by the server.
const opened = performance.now();

const asks = document.querySelector("[data-focus]");
if (asks) asks.focus({ preventScroll: true });

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key.length === 1 && document.documentElement.dataset.keys === "off") return; // turned off by the person
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "Enter" && event.target.closest("a, button, summary")) return;
  if (performance.now() - opened < 120) return; // a double press decides once
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pressed = [...document.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  if (!pressed) return;
  event.preventDefault();
  pressed.click();
});

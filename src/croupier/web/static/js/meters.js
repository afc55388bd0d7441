// Meters: when the server's figure changes, only the digits that changed move. Nothing moves for whoever asked for less.
const still = matchMedia("(prefers-reduced-motion: reduce)");

const tick = (digit) => digit.animate([{ transform: "translateY(.5em)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 420, easing: "cubic-bezier(.2, .7, .2, 1)" });

new MutationObserver((changes) => {
  if (still.matches) return;
  const changed = new Set(changes.map(({ target }) => (target.nodeType === Node.TEXT_NODE ? target.parentElement : target)));
  changed.forEach((element) => { if (element?.matches(".digits i")) tick(element); });
}).observe(document.body, { characterData: true, childList: true, subtree: true });

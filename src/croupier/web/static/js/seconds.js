// The seconds that are left to bet or decide: counted down from what the server said last, whatever this clock shows.
let shown = null, said = "", since = 0;

function count() {
  const element = document.querySelector("[data-left]");
  if (element === null) { shown = null; return; }
  const left = element.dataset.left, version = document.querySelector("[data-version]")?.dataset.version;
  if (element !== shown || said !== `${version} ${left}`) { shown = element; said = `${version} ${left}`; since = performance.now(); }
  const seconds = String(Math.max(0, Math.ceil(Number(left) - (performance.now() - since) / 1000)));
  if (element.firstChild.textContent !== seconds) element.firstChild.textContent = seconds;
}

export const countSeconds = () => setInterval(count, 250);

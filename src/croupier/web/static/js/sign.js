// A sign fills its screen: the columns and the largest type with which everything fits, then lines as far apart as fit. Without this
// the server's own estimate holds; on a phone the page has letters of its own, and scrolls.
const body = document.querySelector("[data-fit]");
const panels = [...body.querySelectorAll(".sign-panel")];
const smallest = 6;
const usual = 1.25, widest = 1.7;
const inTheHand = matchMedia("(max-width: 600px)");

const fits = (columns, size, lead = usual) => {
  body.style.columnCount = columns;
  body.style.setProperty("--sign-type", `${size}px`);
  body.style.setProperty("--sign-lead", lead);
  const whole = panels.every((panel) => panel.getClientRects().length === 1 && panel.scrollWidth <= panel.clientWidth);
  return whole && body.scrollHeight <= body.clientHeight + 1 && body.scrollWidth <= body.clientWidth;
};

const most = (low, high, step, good) => {
  while (high - low > step) {
    const middle = (low + high) / 2;
    if (good(middle)) low = middle; else high = middle;
  }
  return low;
};

const largest = (columns) => most(smallest, innerHeight / 12, .25, (size) => fits(columns, size));

const fit = () => {
  if (inTheHand.matches) {
    body.removeAttribute("style");
    return;
  }
  const sizes = [1, 2, 3, 4].map((columns) => [columns, largest(columns)]);
  const best = sizes.reduce((best, other) => (other[1] > best[1] ? other : best));
  fits(...best, most(usual, widest, .02, (lead) => fits(...best, lead)));
};

addEventListener("resize", fit);
document.fonts.ready.then(fit);
fit();

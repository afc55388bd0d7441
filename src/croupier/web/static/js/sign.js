// A sign fills its screen: the columns and the largest type with which everything fits. Without this the server's own estimate holds.
const body = document.querySelector("[data-fit]");
const panels = [...body.querySelectorAll(".sign-panel")];
const smallest = 6;

const fits = (columns, size) => {
  body.style.columnCount = columns;
  body.style.setProperty("--sign-type", `${size}px`);
  const whole = panels.every((panel) => panel.getClientRects().length === 1 && panel.scrollWidth <= panel.clientWidth);
  return whole && body.scrollHeight <= body.clientHeight + 1 && body.scrollWidth <= body.clientWidth;
};

const largest = (columns) => {
  let low = smallest, high = innerHeight / 12;
  while (high - low > .25) {
    const middle = (low + high) / 2;
    if (fits(columns, middle)) low = middle; else high = middle;
  }
  return low;
};

const fit = () => {
  const sizes = [1, 2, 3, 4].map((columns) => [columns, largest(columns)]);
  fits(...sizes.reduce((best, other) => (other[1] > best[1] ? other : best)));
};

addEventListener("resize", fit);
document.fonts.ready.then(fit);
fit();

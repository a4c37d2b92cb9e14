// Replaces parts of this page with those of another page. Elements with `data-part` change with the picks or the
// turn on the board, elements with `data-live` change over time.

const MOTION = { duration: 250, easing: "ease-out" };
const GROUND = 4; // contents of more than a fourth of the board are no pieces, but empty places
let showing = 0;

// Returns whether a change of the page is in progress.
export const isShowing = () => showing > 0;

// Fetches a page and shows its parts of these sorts; the server may leave out the others. Resolves to false if the page
// has none, for example after a logout, and to null if it is not wanted any more.
export async function show(address, options, sorts = ["part"], isWanted = () => true) {
  let found = null;
  let page, answer, before;
  showing += 1;
  try {
    answer = await fetch(address, { ...options, headers: { "Nabu-Parts": sorts.join() } });
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    before = sorts.includes("live") && !matchMedia("(prefers-reduced-motion: reduce)").matches && contents();
    found = isWanted() ? replace(page, sorts) : null;
  } finally {
    showing -= 1;
  }
  if (!found) return found;
  if (answer.redirected) history.replaceState(null, "", answer.url);
  if (page.title) document.title = page.title;
  document.dispatchEvent(new CustomEvent("parts", { detail: sorts }));
  if (before) animate(before); // last, because the page is complete without it
  return true;
}

// Returns the places of the board that have titles, with their contents: "w, white" of "c3: w, white (changed)".
function contents() {
  return [...document.querySelectorAll("[data-part=board] use")].flatMap((cell) => {
    const [, piece] = cell.textContent.match(/^\w+: ([^(]*[^( ])/) ?? [];
    const [x, y] = [cell.x.baseVal.value, cell.y.baseVal.value];
    return piece ? [{ cell, piece, x, y, key: `${piece} ${x} ${y}` }] : [];
  });
}

// Shows how the board has changed: pieces move from their old places, and other changed places fade in.
function animate(before) {
  const after = contents();
  const [old, now] = [before, after].map((places) => new Set(places.map(({ key }) => key)));
  const left = before.filter(({ key }) => !now.has(key));
  const most = document.querySelectorAll("[data-part=board] use").length / GROUND;
  for (const { cell, piece, x, y } of after.filter(({ key }) => !old.has(key))) {
    const isPiece = after.filter((other) => other.piece === piece).length < most;
    const from = isPiece && left.find((other) => other.piece === piece);
    if (from) left.splice(left.indexOf(from), 1);
    const start = from ? { transform: `translate(${from.x - x}px, ${from.y - y}px)` } : { opacity: 0 };
    cell.animate?.([start, {}], MOTION);
  }
}

function replace(page, sorts) {
  let found = false;
  for (const sort of sorts) {
    for (const part of document.querySelectorAll(`[data-${sort}]`)) {
      const other = page.querySelector(`[data-${sort}="${part.dataset[sort]}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
      found ||= Boolean(other);
    }
  }
  return found;
}

document.documentElement.dataset.scripts = "on";

// Replaces parts of this page with those of another page. Elements with `data-part` change with the picks or the
// turn on the board, elements with `data-live` change over time.

let showing = 0;

// Returns whether the page is just changing.
export const isShowing = () => showing > 0;

// Fetches a page and shows its parts; resolves to false if it has none, for example after a logout.
export async function show(address, options, sorts = ["part"]) {
  showing += 1;
  let page, answer;
  try {
    answer = await fetch(address, options);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
  } finally {
    showing -= 1;
  }
  let found = false;
  const change = () => (found = replace(page, sorts));
  const moves = sorts.includes("live") && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (moves && document.startViewTransition) await document.startViewTransition(change).updateCallbackDone;
  else change();
  if (!found) return false;
  if (answer.redirected) history.replaceState(null, "", answer.url);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("parts"));
  return true;
}

function replace(page, sorts) {
  let found = false;
  for (const sort of sorts) {
    for (const part of document.querySelectorAll(`[data-${sort}]`)) {
      const other = page.querySelector(`[data-${sort}="${part.dataset[sort]}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
      found ||= other;
    }
  }
  return found;
}

document.documentElement.dataset.scripts = "on";

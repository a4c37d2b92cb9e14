// Replaces parts of this page with those of another page. Elements with `data-part` change with the picks or the
// turn on the board, elements with `data-live` change over time.

let showing = 0;

// Returns whether a change of the page is in progress.
export const isShowing = () => showing > 0;

// Fetches a page and shows its parts; resolves to false if it has none, for example after a logout, and to null if
// it is not wanted any more.
export async function show(address, options, sorts = ["part"], isWanted = () => true) {
  let found = null;
  let page, answer;
  showing += 1;
  try {
    answer = await fetch(address, options);
    page = new DOMParser().parseFromString(await answer.text(), "text/html");
    await move(() => (found = isWanted() ? replace(page, sorts) : null), sorts.includes("live"));
  } finally {
    showing -= 1;
  }
  if (!found) return found;
  if (answer.redirected) history.replaceState(null, "", answer.url);
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("parts", { detail: sorts }));
  return true;
}

// Makes a change of the page; a new position fades in where readers and browsers like that.
async function move(change, isNews) {
  if (!isNews || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches) return change();
  if (!document.startViewTransition) return change();
  const transition = document.startViewTransition(change);
  transition.ready.catch(() => {}); // it was skipped
  await transition.updateCallbackDone;
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

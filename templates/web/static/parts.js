// Replaces parts of this page with those of another page. Elements with `data-part` change with the picks or the
// turn on the board, elements with `data-live` change over time.

// Fetches a page and shows its parts; resolves to false if it has none, for example after a logout.
export async function show(address, options, sorts = ["part"]) {
  const answer = await fetch(address, options);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  let found = false;
  for (const sort of sorts) {
    for (const part of document.querySelectorAll(`[data-${sort}]`)) {
      const other = page.querySelector(`[data-${sort}="${part.dataset[sort]}"]`);
      if (other) part.replaceWith(document.adoptNode(other));
      found ||= other;
    }
  }
  if (!found) return false;
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("parts"));
  return true;
}

document.documentElement.dataset.scripts = "on";

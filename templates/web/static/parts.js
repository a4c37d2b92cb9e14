// Puts the parts of another page of ours where those of this one are: whatever changes with what is picked, or with
// the turn that is looked at, stands in an element with `data-part`; what else changes as time goes by, in one with
// `data-live`.

// Fetches a page and shows its parts; resolves to false where it has none, as when somebody has logged out.
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

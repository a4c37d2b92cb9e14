// Puts the parts of another page of ours where those of this one are: whatever changes with what is picked, or with
// the turn that is looked at, stands in an element with `data-part`.

const parts = (page) => [...page.querySelectorAll("[data-part]")];

// Fetches a page and shows its parts; resolves to false where it has none, as when somebody has logged out.
export async function show(address, options) {
  const answer = await fetch(address, options);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const found = new Map(parts(page).map((part) => [part.dataset.part, part]));
  if (!found.size) return false;
  for (const part of parts(document)) {
    const other = found.get(part.dataset.part);
    if (other) part.replaceWith(document.adoptNode(other));
  }
  document.title = page.title;
  document.dispatchEvent(new CustomEvent("parts"));
  return true;
}

document.documentElement.dataset.scripts = "on";

// Asks again and again, cheaply, whether what the page shows is still so, and if not shows it anew: at once, or when
// the reader says so who picks, writes, or looks back at the moment. Without it pages have links that load them again.

import { show } from "./parts.js";

const SLOWER = 6; // times, while nobody sees the page
const LONGEST = 300; // seconds
const notice = document.querySelector("#news p");
let timer = 0;
let failures = 0;

const live = () => document.querySelector("[data-live=live]").dataset;

function later() {
  const seconds = live().every * (document.hidden ? SLOWER : 1) * 2 ** failures;
  clearTimeout(timer);
  timer = setTimeout(look, 1000 * Math.min(seconds, LONGEST) * (0.9 + Math.random() / 5));
}

async function look() {
  const { now, version } = live();
  try {
    const answer = await fetch(now, { headers: { "If-None-Match": `"${version}"` }, redirect: "error" });
    if (answer.ok) await tell(await answer.json());
    else if (answer.status !== 304) throw new Error(answer.status);
    failures = 0;
  } catch {
    failures += 1;
  }
  later();
}

// What comes while nobody sees the page is only counted: what is shown counts as seen.
async function tell({ waiting }) {
  count(waiting);
  if (document.hidden) return;
  notice.hidden = !isBusy();
  if (notice.hidden) await renew();
}

function isBusy() {
  const elsewhere = location.pathname + location.search !== live().page;
  const written = [...document.querySelectorAll("main textarea")].some((field) => field.value !== field.defaultValue);
  return elsewhere || written || document.activeElement.closest("[data-part], [data-live]") || document.querySelector(".picked li");
}

async function renew() {
  const { page, state } = live();
  if (!(await show(page, {}, ["part", "live"])) || live().state !== state) return location.reload();
  notice.hidden = true;
  count(Number(live().waiting));
  const status = document.querySelector("[data-part=status] p");
  document.querySelector("#said").textContent = (status ?? document.querySelector("title")).textContent;
}

// How many games wait for the reader: in the title, and beside the link to them.
function count(waiting) {
  document.title = (waiting ? `(${waiting}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  const shown = document.querySelector(".count");
  if (!shown) return;
  shown.hidden = !waiting;
  shown.firstElementChild.textContent = waiting;
}

notice.querySelector("a").addEventListener("click", async (event) => {
  if (location.pathname + location.search !== live().page) return;
  event.preventDefault();
  await renew();
  document.querySelector("#main").focus({ preventScroll: true });
});

document.addEventListener("visibilitychange", () => (document.hidden ? later() : look()));
later();

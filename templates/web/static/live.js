// Updates the page after changes, which it gets from an event stream or by polling: immediately, or, while the reader
// picks, writes or looks at earlier turns, when they click the notice. Without this module, pages have links to refresh
// them.

import { isShowing, show } from "./parts.js";
import { ring } from "./sound.js";
import { follow } from "./stream.js";

const SLOWER = 6; // times slower while the page is hidden, or gets events
const LONGEST = 300; // seconds
const [notice, news] = document.querySelectorAll("#news p");
let timer = 0;
let failures = 0;
let isStreaming = false;
let isLate = false; // whether there was a change while the page was changing

const live = () => document.querySelector("[data-live=live]").dataset;
let counted = live().waiting; // the numbers of games, turns and messages that wait for the reader: "3.1.2"

function later() {
  const seconds = live().every * (document.hidden || isStreaming ? SLOWER : 1) * 2 ** failures;
  clearTimeout(timer);
  timer = setTimeout(look, 1000 * Math.min(seconds, LONGEST) * (0.9 + Math.random() / 5));
}

async function look() {
  const { now, version } = live();
  try {
    const answer = await fetch(now, { headers: { "If-None-Match": `"${version}.${counted}"` }, redirect: "error" });
    const fresh = answer.ok ? await answer.json() : null;
    if (live().version !== version) return look(); // the page was renewed meanwhile
    if (fresh) await update(fresh);
    else if (answer.status !== 304) throw new Error(answer.status);
    failures = 0;
  } catch {
    failures += 1;
  }
  later();
}

// An event may be older than the page, so a poll follows.
function hear({ page, version, waiting }) {
  count(waiting, true);
  if (page !== live().now) return;
  isStreaming = true;
  if (version !== live().version) look();
}

// While the page is hidden, only the count changes: turns on an updated page would count as seen.
async function update({ version, waiting }) {
  count(waiting);
  if (document.hidden || version === live().version) return;
  isLate = isShowing();
  if (isLate) return;
  notice.hidden = !isBusy();
  if (notice.hidden) await renew(() => !isBusy());
}

function isBusy() {
  const elsewhere = location.pathname + location.search !== live().page;
  const written = [...document.querySelectorAll("main textarea")].some((field) => field.value !== field.defaultValue);
  const focused = document.activeElement;
  const works = focused.closest("[data-part], [data-live]") && !focused.matches("[data-pick]");
  return elsewhere || written || works || document.querySelector(".picked li, main .problem");
}

// Shows the page as it is now, unless the reader began something while it was loading. The focus stays on its choice:
// after a move it is on one, although the reader has not begun anything.
async function renew(isWanted) {
  const { page, state } = live();
  const before = sentences();
  const { pick } = document.activeElement.dataset;
  const shown = await show(page, {}, ["part", "live"], isWanted);
  if (shown === null) return void (notice.hidden = false);
  if (!shown || live().state !== state) return location.reload();
  if (pick) (document.querySelector(`[data-pick="${CSS.escape(pick)}"]`) ?? document.querySelector(".game-board"))?.focus({ preventScroll: true });
  const after = sentences();
  const isNew = after.length > 0 && text(after) !== text(before);
  const isSeen = !isNew || after.at(-1).getBoundingClientRect().bottom > 0;
  news.hidden = isSeen;
  (isSeen ? document.querySelector("#said") : news.firstElementChild).textContent = isNew
    ? text(after)
    : "This page has been updated.";
}

// Returns the sentences of the status; an offer can come with a move, so there may be two.
function sentences() {
  const find = (place) => document.querySelector(`[data-part=status] ${place}`);
  return [...new Set([find("p"), find(".answers p")])].filter(Boolean);
}

const text = (elements) => elements.map((each) => each.textContent).join(" ");

// The news is hidden once the reader has scrolled to the top.
addEventListener("scroll", () => scrollY || (news.hidden = true), { passive: true });
news.querySelector("a").addEventListener("click", () => (news.hidden = true));

// Shows the number of games that wait for the reader in the title, beside the link to them, and on the app's icon. All
// pages get an event of the stream together, so that one of them rings; but each polls at another time, so only a page
// that the reader sees rings after a poll.
function count(waiting, isStreamed = false) {
  if (isStreamed || !document.hidden) ring(counted, waiting);
  counted = waiting;
  const games = Number.parseInt(waiting);
  document.title = (games ? `(${games}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  navigator.setAppBadge?.(games).catch(() => {}); // only installed apps have an icon
  const shown = document.querySelector(".count");
  if (!shown) return;
  shown.hidden = !games;
  shown.firstElementChild.textContent = games;
}

notice.querySelector("a").addEventListener("click", async (event) => {
  if (location.pathname + location.search !== live().page) return;
  event.preventDefault();
  await renew();
  document.querySelector("#main").focus({ preventScroll: true });
});

document.addEventListener("parts", ({ detail: sorts }) => {
  if (sorts.includes("live")) {
    notice.hidden = true;
    count(live().waiting);
  }
  if (isLate) look();
  isLate = false;
});

document.addEventListener("visibilitychange", () => (document.hidden ? later() : look()));
count(counted);
later();
follow(live().now, hear, () => {
  isStreaming = false;
  later();
});
// The service worker shows a page when the server cannot be reached.
navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

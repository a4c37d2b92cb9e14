// Sets up notifications in this browser: after a click, it asks for the browser's permission and sends the form.
// Without this module, other browsers can still be removed.

const WORKER = "/service-worker.js";
const form = document.querySelector("#allow");
const said = document.querySelector("#consent");
const rows = [...document.querySelectorAll("[data-browser]")];
const able = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

async function begin() {
  if (!able) {
    said.textContent = said.dataset.unable;
    return;
  }
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await registration?.pushManager.getSubscription();
  const mark = subscription && (await marked(subscription.endpoint));
  const row = rows.find(({ dataset }) => dataset.mark === mark);
  if (row) return recognise(row, registration, subscription);
  // The subscription was removed, or belongs to another player who used this browser before.
  await subscription?.unsubscribe();
  said.textContent = said.dataset.able;
  form.hidden = false;
}

// Marks this browser in the list, and renews its subscription if the server's key or the login has changed.
async function recognise(row, registration, subscription) {
  row.querySelector("[data-this]").hidden = false;
  said.hidden = true;
  if (Notification.permission !== "granted") return;
  const { key } = form.dataset;
  if (row.dataset.key !== key) {
    await subscription.unsubscribe();
    await send(await subscribe(registration), row.dataset.browser);
  } else if (!("current" in row.dataset)) {
    fill(subscription, "");
    await fetch(form.action, { method: "POST", body: new FormData(form) });
  }
}

async function allow() {
  if ((await Notification.requestPermission()) !== "granted") {
    said.textContent = said.dataset.refused;
    return;
  }
  await navigator.serviceWorker.register(WORKER);
  await send(await subscribe(await navigator.serviceWorker.ready), "");
}

function subscribe(registration) {
  const applicationServerKey = bytes(form.dataset.key);
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function send(subscription, instead) {
  fill(subscription, instead);
  form.submit();
}

function fill(subscription, instead) {
  const { endpoint, keys } = subscription.toJSON();
  const values = { endpoint, p256dh: keys.p256dh, auth: keys.auth, key: form.dataset.key, instead };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
}

async function marked(endpoint) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...hash.slice(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function bytes(text) {
  const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(plain, (sign) => sign.charCodeAt(0));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await allow();
  } catch {
    said.textContent = said.dataset.failed;
  }
});

begin().catch(() => (said.textContent = said.dataset.failed));

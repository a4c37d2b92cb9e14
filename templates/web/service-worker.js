// Shows notifications while no page is open, and opens their page on a click. If the server cannot be reached, it
// shows a page that says so. It stores nothing.

const OFFLINE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No connection · Nabu</title>
<style>body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }</style>
<h1>No connection</h1>
<p>Your browser cannot reach the server. Nothing is lost: your games, and the time you have for them, are on the server,
and you can also play by email.</p>
<p><a href="">Try again</a></p>`;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate" || event.request.method !== "GET") return;
  const headers = { "Content-Type": "text/html" };
  event.respondWith(fetch(event.request).catch(() => new Response(OFFLINE, { status: 503, headers })));
});

// A newer notification about the same game replaces the older one, and alerts again.
self.addEventListener("push", (event) => {
  const { title, body, tag, page, waiting } = event.data.json();
  const notice = { body, tag, renotify: true, icon: "/icons/192.png", data: page };
  event.waitUntil(Promise.all([self.registration.showNotification(title, notice), badge(waiting)]));
});

// Shows the number of games that wait for the reader on the app's icon, which only installed apps have. The notification
// that a reader sends to try them has no number.
async function badge(games) {
  if (games !== undefined) await navigator.setAppBadge?.(games).catch(() => {});
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(page) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => new URL(url).pathname === page);
  return there ? there.focus() : self.clients.openWindow(page);
}

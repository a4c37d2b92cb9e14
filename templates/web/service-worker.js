// Shows notifications while no page is open, and opens their page on a click. It stores nothing.

self.addEventListener("install", () => self.skipWaiting());

// A newer notification about the same game replaces the older one, and alerts again.
self.addEventListener("push", (event) => {
  const { title, body, tag, page } = event.data.json();
  const notice = { body, tag, renotify: true, icon: "/icons/192.png", data: page };
  event.waitUntil(self.registration.showNotification(title, notice));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function open(page) {
  const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find(({ url }) => new URL(url).pathname === page);
  return there ? there.focus() : self.clients.openWindow(page);
}

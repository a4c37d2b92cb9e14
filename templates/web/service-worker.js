// Shows what a player is told while no page is open, and opens the page that it is about. It keeps nothing.

self.addEventListener("install", () => self.skipWaiting());

// A newer notice of the same game takes the place of the older one, and is heard again.
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

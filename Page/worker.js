// Opens the page where the coach's machine does not answer, so that the page can say so. What it has was sent by that machine.

// A machine that is off does not refuse.
const patience = 4000;

// Requests to the coach do not pass here: a tap would wait until this has begun. A browser that cannot do that goes without.
addEventListener('install', (event) => {
  if (!event.addRoutes) return event.waitUntil(registration.unregister());
  event.waitUntil(event.addRoutes({ condition: { urlPattern: '/api/*' }, source: 'network' }));
});

const store = () => caches.open('page');

// The token may stand behind a #.
const addressOf = (request) => (request.url ?? request).split('#')[0];

async function load(request) {
  const response = await fetch(request, { signal: AbortSignal.timeout(patience) });
  if (response.status === 200) (await store()).put(addressOf(request), response.clone());
  return response;
}

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(load(event.request).catch(async () => await (await store()).match(addressOf(event.request)) ?? Response.error()));
});

// The addresses of what the page has loaded without it.
addEventListener('message', (event) => event.waitUntil(Promise.allSettled(event.data.map(load))));

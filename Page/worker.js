// Opens the page where the coach's machine does not answer, so that the page can say so. What it has was sent by that machine.

// Milliseconds: a machine that is off does not refuse.
const patience = 4000;
// The page that was asked for last came from here: so does all that belongs to it, for two versions may not go together.
let isAway = false;

// Requests to the coach do not pass here: a tap would wait until this has begun. A browser that cannot do that goes without.
addEventListener('install', (event) => {
  event.waitUntil(!event.addRoutes ? Promise.reject(new Error('no routes')) : event.addRoutes({ condition: { urlPattern: '/api/*' }, source: 'network' }));
});

const store = () => caches.open('page');
// The token may stand behind a #.
const addressOf = (request) => request.url.split('#')[0];
const kept = (request) => store().then((all) => all.match(addressOf(request))).catch(() => {});

async function load(request, signal) {
  const response = await fetch(request, { signal });
  const copy = response.clone();
  if (response.status === 200) store().then((all) => all.put(addressOf(request), copy)).catch(() => {});
  return response;
}

async function part(request) {
  const old = isAway && await kept(request);
  if (old) return old;
  try { return await load(request); } catch { return await kept(request) ?? Response.error(); }
}

async function page(request) {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), patience);
  try {
    const response = await load(request, waiting.signal);
    isAway = false;
    return response;
  } catch {
    isAway = true;
    return await kept(request) ?? Response.error();
  } finally {
    // Once it has begun it may take as long as the line is slow.
    clearTimeout(timer);
  }
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  event.respondWith(request.mode === 'navigate' ? page(request) : part(request));
});

// The addresses of what the page has loaded without it.
addEventListener('message', (event) => event.waitUntil(store().then((all) => Promise.allSettled(event.data.map((each) => all.add(each))))));

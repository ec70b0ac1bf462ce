// The connection: requests, and the stream of events, which is opened again for ever.

const tokenKey = 'cuecoach-token';
// The last one of an address that was tried: an installed page begins with it for ever.
const linkKey = 'cuecoach-link';
// An address that opens the view for a television.
export const viewMark = '#view';
// The server sends a sign of life each ten seconds.
const silence = 25_000;
const pauses = { first: 300, longest: 5000 };
// A machine that says nothing at all is tried again.
const patience = 10_000;
// A page that nobody sees leaves its connection to others: a browser has six for one server.
const hidden = 10_000;

// Storage may be forbidden or full; then everything holds for this visit, and `onLost` is called once.
const memory = new Map();
export const kept = {
  get(key) {
    try { return memory.get(key) ?? localStorage.getItem(key); } catch { return null; }
  },
  // The same of JSON; `other` where there is none.
  read(key, other) {
    try { return JSON.parse(kept.get(key)) ?? other; } catch { return other; }
  },
  set(key, value) {
    try {
      localStorage.setItem(key, value);
      memory.delete(key);
    } catch {
      if (!memory.size) kept.onLost?.();
      memory.set(key, value);
    }
  },
};

// A page that is put on a home screen may have another storage than this one, as on iOS: its start has the token.
async function carry(token) {
  const manifest = await (await fetch('/manifest.webmanifest')).json();
  const at = (path) => new URL(path, location.origin).href;
  for (const icon of manifest.icons) icon.src = at(icon.src);
  manifest.start_url = at(`/${location.hash.startsWith(viewMark) ? `${viewMark},` : '#'}${token}`);
  manifest.id = at('/');
  document.querySelector('[rel=manifest]').href = `data:application/manifest+json,${encodeURIComponent(JSON.stringify(manifest))}`;
}

export const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Coach {
  #onMessage;
  #onState;
  #abort = new AbortController();
  #heard = 0;
  #isLocked = false;
  // A token that has not opened the page yet: until it has, the kept one is not replaced.
  #offered = null;
  #linked = null;
  #isOpen = false;
  // How many questions have been asked, and by their verb the last that is answered: its number and the answer.
  #questions = 0;
  #known = new Map();
  // Whether the coach answers in the language of the page; an older one does not know that it is asked to.
  #speaks = true;
  #wake = () => {};
  #pause = pauses.first;

  // onMessage: each event. onState: 'open', 'closed', 'locked', 'slowed' after too many wrong tokens, and 'wrong' for
  // a new token that does not open the page; the kept one may.
  constructor(...given) {
    [this.#onMessage, this.#onState] = given;
  }

  start() {
    addEventListener('hashchange', () => this.#takeToken());
    let hiding = 0;
    document.addEventListener('visibilitychange', () => {
      clearTimeout(hiding);
      if (document.hidden) hiding = setTimeout(() => this.#abort.abort(), hidden);
      else this.#look();
    });
    addEventListener('pageshow', () => this.#look());
    addEventListener('online', () => this.reopen());
    setInterval(() => { if (this.#isOpen) this.#look(); }, 5000);
    this.#takeToken();
    this.#run();
  }

  // Opens the page with a link, or with the token alone.
  unlock(text) {
    const token = text.trim().split(/[#,]/).pop().trim();
    if (token) this.#offered = token;
    this.#isLocked = false;
    this.reopen();
  }

  // The link's token is behind the #, for a television behind "#view,": it leaves the address, and is kept once it has opened the page.
  #takeToken() {
    const isView = location.hash.startsWith(viewMark);
    const token = isView ? location.hash.slice(viewMark.length + 1) : location.hash.slice(1);
    if (!token) return;
    history.replaceState(null, '', location.pathname + (isView ? viewMark : ''));
    if (token === kept.get(linkKey) && kept.get(tokenKey)) return;
    this.#linked = token;
    this.unlock(token);
  }

  // Only the connection tries a new token: a wrong link takes nothing from the buttons.
  get #tried() { return this.#offered ?? kept.get(tokenKey); }
  get #used() { return kept.get(tokenKey) ?? this.#offered; }

  #headers(token = this.#used) { return token ? { Authorization: `Bearer ${token}` } : {}; }

  // The same for questions, which can wait for a server that is busy.
  async ask(fields) {
    for (let times = 0; ; times += 1) {
      try {
        return await this.request(fields);
      } catch (error) {
        if (!error.isBusy || times === 5) throw error;
        await sleep(300 + Math.random() * 1000);
      }
    }
  }

  // The answer to a verb that asks the same each time; nothing where it refuses, as an older coach does. Where a later one has
  // come before it, that.
  async know(fields) {
    this.#questions += 1;
    const number = this.#questions;
    const answer = await this.ask(fields).catch(() => null);
    const last = this.#known.get(fields.verb);
    if (answer && !(last?.number > number)) this.#known.set(fields.verb, { number, answer });
    return last?.number > number ? last.answer : answer ?? {};
  }

  // The coach's answer; an Error where it refused, or did not answer: `message` for a person, and `code`,
  // the coach's or the HTTP status. options: more for `fetch`.
  async request(fields, options = {}) {
    const token = this.#used;
    const response = await fetch('/api/request', {
      ...options,
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...this.#headers(token) },
      body: JSON.stringify({ id: 0, ...this.#speaks && { language: document.documentElement.lang }, ...fields }),
      cache: 'no-store',
    });
    if (response.status === 401) this.#refused(token);
    const isAnswer = response.headers.get('Content-Type')?.startsWith('application/json');
    if (!isAnswer) {
      const error = new Error((await response.text()).trim());
      error.code = response.status === 413 ? 'too-large' : response.status;
      // A long list takes its time, once.
      error.isBusy = response.status === 503 && response.headers.has('Retry-After') || response.status === 504 && fields.verb === 'presets';
      throw error;
    }
    const answer = await response.json();
    if (answer.error === 'malformed' && /^language:/.test(answer.message)) {
      this.#speaks = false;
      return this.request(fields, options);
    }
    if (!answer.ok) {
      throw Object.assign(new Error(answer.message ?? answer.error), { code: answer.error, verb: fields.verb });
    }
    return answer;
  }

  // Milliseconds of the coach's clock.
  async clock({ signal } = {}) {
    const response = await fetch('/api/clock', { headers: this.#headers(), cache: 'no-store', signal });
    if (!response.ok) throw new Error(`${response.status}`);
    return (await response.json()).now / 1e6;
  }

  // No request is answered with this token. Anybody can make a link, so a wrong one does not lock the page out.
  #refused(token) {
    // Another one is tried meanwhile.
    if (token !== this.#tried) return;
    const isNew = this.#offered !== null;
    this.#offered = null;
    this.#note(token);
    if (isNew) this.#onState('wrong');
    if (!isNew || kept.get(tokenKey) === null) return this.#lock();
    this.reopen();
  }

  #note(token) { if (token === this.#linked) kept.set(linkKey, token); }

  #lock() {
    if (this.#isLocked) return;
    this.#isLocked = true;
    this.#onState('locked');
    this.#abort.abort();
  }

  // After a sleep of the phone the connection is dead and nobody has said so.
  #look() {
    if (document.hidden) return;
    if (!this.#isOpen || performance.now() - this.#heard > silence) this.reopen();
  }

  // Opens the stream of events anew: the connection is not to be trusted.
  reopen() {
    this.#heard = performance.now();
    this.#pause = pauses.first;
    this.#abort.abort();
    this.#wake();
  }

  async #run() {
    for (;;) {
      if (!this.#isLocked && !document.hidden) {
        this.#abort = new AbortController();
        this.#heard = performance.now();
        let state = 'closed';
        try {
          state = await this.#read() ?? state;
        } catch {
          // Closed, cut or refused: it is opened again.
        }
        this.#abort.abort();
        this.#isOpen = false;
        if (!this.#isLocked && !document.hidden) this.#onState(state);
      }
      await this.#rest();
    }
  }

  async #rest() {
    const length = this.#isLocked ? 2 ** 31 - 1 : this.#pause * (0.75 + Math.random() / 2);
    this.#pause = Math.min(this.#pause * 2, pauses.longest);
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, length);
      this.#wake = () => { clearTimeout(timer); resolve(); };
    });
  }

  // What the connection has come to, where that is more than closed.
  async #read() {
    const offered = this.#offered;
    const token = this.#tried;
    const abort = this.#abort;
    const timer = setTimeout(() => abort.abort(), patience);
    const response = await fetch('/api/events', { headers: this.#headers(token), cache: 'no-store', signal: abort.signal })
      .finally(() => clearTimeout(timer));
    if (response.status === 401) return this.#refused(token);
    if (!response.ok) {
      if (response.status === 429 && offered !== null && kept.get(tokenKey) !== null) return this.#refused(token);
      const wait = Number(response.headers.get('Retry-After'));
      if (wait > 0) this.#pause = wait * 1000;
      return response.status === 429 ? 'slowed' : undefined;
    }
    if (offered !== null) {
      // Where none is needed, any would open the page.
      const isNeeded = kept.get(tokenKey) === null || !(await fetch('/api/clock', { cache: 'no-store' })).ok;
      if (isNeeded) kept.set(tokenKey, offered);
      this.#note(offered);
      if (this.#offered === offered) this.#offered = null;
    }
    this.#isOpen = true;
    this.#onState('open');
    if (this.#used) carry(this.#used).catch(() => {});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#heard = performance.now();
      this.#pause = pauses.first;
      const events = (text + value).split('\n\n');
      text = events.pop();
      for (const event of events) {
        if (event.startsWith('data: ')) this.#onMessage(JSON.parse(event.slice(6)));
      }
    }
  }
}

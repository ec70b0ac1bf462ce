// What a phone does beside showing: flashes, vibration, the lock screen's buttons, and light. All but the light are
// settings, off at first.

import { kept } from './coach.js';
import { secondsLeft } from './lane.js';

const prefix = 'cuecoach-setting-';
const lengths = { count: 120, boundary: 400 };
// Three flashes a second may harm; there are never so many. Milliseconds.
const pause = 340;

export const settings = {
  flash: true, vibrate: 'vibrate' in navigator, media: 'mediaSession' in navigator, captions: true,
};
const isOn = (name) => settings[name] && kept.get(prefix + name) === 'on';

// What has come to pass between two looks at a lane: 'boundary', 'count' or null.
export function beat(before, place) {
  if (!before || place.wait !== null) return null;
  if (place.phase !== before.phase || place.state === 'finished' && before.state !== place.state) return 'boundary';
  if (place.state !== 'running' || before.state !== 'running') return null;
  if (place.repsDone > before.repsDone) return 'count';
  if (place.left === null || before.left === null || place.mayEndEarly) return null;
  const left = secondsLeft(place.left);
  return left < secondsLeft(before.left) && left > 0 && left <= place.countdown ? 'count' : null;
}

export class Effects {
  #flash;
  #before = new Map();
  #last = -Infinity;
  #timer = 0;

  // flash: what covers the screen. menu: has a box for each setting.
  constructor(flash, menu, onChange) {
    this.#flash = flash;
    for (const box of menu.querySelectorAll('[data-setting]')) {
      const { setting } = box.dataset;
      box.closest('label').hidden = !settings[setting];
      box.checked = isOn(setting);
      box.onchange = () => {
        kept.set(prefix + setting, box.checked ? 'on' : 'off');
        if (box.checked) this.#show('boundary', setting);
        onChange();
      };
    }
  }

  // name: a lane that somebody looks at, and where it is.
  note(name, place) {
    const kind = beat(this.#before.get(name), place);
    this.#before.set(name, place);
    if (kind && !document.hidden) this.#show(kind);
  }

  forget(name) { this.#before.delete(name); }

  // A workout that has ended has a last boundary.
  end() { if (!document.hidden) this.#show('boundary'); }

  #show(kind, only) {
    const now = performance.now();
    if (now - this.#last < pause) return;
    this.#last = now;
    if (isOn('vibrate') && (only ?? 'vibrate') === 'vibrate') navigator.vibrate(kind === 'count' ? 80 : [250, 80, 250]);
    if (!isOn('flash') || (only ?? 'flash') !== 'flash') return;
    clearTimeout(this.#timer);
    this.#flash.dataset.beat = kind;
    this.#timer = setTimeout(() => { delete this.#flash.dataset.beat; }, lengths[kind]);
  }
}

// What is being said, while it is heard.
export class Captions {
  #line;
  #texts = [];

  constructor(line) { this.#line = line; }

  // message: an event `speech`. One that is withdrawn is not said.
  note({ text, from, until, withdrawn }) {
    this.#texts = [...this.#texts.filter((each) => each.from !== from || each.text !== text), ...withdrawn ? [] : [{ text, from, until }]];
  }

  // Milliseconds until another line is there; Infinity for none.
  show(now) {
    const on = isOn('captions');
    this.#texts = this.#texts.filter(({ until }) => until / 1e6 > now);
    const said = this.#texts.filter(({ from }) => from / 1e6 <= now).map(({ text }) => text);
    document.body.classList.toggle('captioned', on);
    this.#line.hidden = !on || !said.length;
    this.#line.textContent = said.join(' · ');
    return Math.min(...this.#texts.map(({ from, until }) => (from / 1e6 > now ? from : until) / 1e6 - now));
  }
}

// The screen stays on while a workout runs, where the browser allows it: not over plain HTTP.
let lock = null;
export async function keepScreenOn(isWanted) {
  if (!navigator.wakeLock || document.hidden) return;
  if (!isWanted) {
    lock?.release();
    lock = null;
  } else if (!lock) {
    lock = { release() {} };
    try {
      lock = await navigator.wakeLock.request('screen');
      lock.onrelease = () => { lock = null; };
    } catch {
      // Refused, such as with an empty battery: asked again with the next workout.
    }
  }
}

// The lock screen's buttons, and those of a headset. A browser has them for a page that plays something: a file in which
// nothing is heard, begun by a touch.
export class Media {
  #audio = null;
  #shown = '';

  // handlers: by the names of `MediaSession.setActionHandler`.
  constructor(handlers) {
    if (!settings.media) return;
    for (const [action, handler] of Object.entries(handlers)) {
      try {
        navigator.mediaSession.setActionHandler(action, () => { if (this.#audio) handler(); });
      } catch {
        // The browser does not know this one.
      }
    }
  }

  // At a touch or a key: a browser lets a page play then. isWanted: something runs.
  touch(isWanted) {
    if (!isWanted || !isOn('media')) return this.stop();
    if (!this.#audio) {
      this.#audio = new Audio('/silence.flac');
      this.#audio.loop = true;
    }
    if (this.#audio.paused) this.#audio.play().catch(() => {});
  }

  stop() {
    if (!this.#audio) return;
    this.#audio.pause();
    this.#audio = null;
    this.#shown = '';
    navigator.mediaSession.metadata = null;
    navigator.mediaSession.playbackState = 'none';
  }

  // texts: { title, artist, album } of what the buttons are for.
  show(texts, isPaused) {
    if (!this.#audio) return;
    const shown = JSON.stringify([texts, isPaused]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    navigator.mediaSession.metadata = new MediaMetadata({
      ...texts, artwork: [{ src: '/icon-512.png', sizes: '512x512', type: 'image/png' }],
    });
    navigator.mediaSession.playbackState = isPaused ? 'paused' : 'playing';
  }
}

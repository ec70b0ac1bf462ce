// A lane: where it is at an instant, and its panel.

import { create } from './lists.js';
import { clockText, language, spokenLength, word } from './words.js';

// Seconds left are rounded up: 0:03 is there when "three" is said. Instants are rounded to the
// microsecond first, so that no remainder of a division shows as a second.
export const secondsLeft = (milliseconds) =>
  Math.max(0, Math.ceil(Math.round(milliseconds * 1000) / 1e6));
const secondsPassed = (milliseconds) =>
  Math.max(0, Math.floor(Math.round(milliseconds * 1000) / 1e6));

const shortest = 1000;

// What an outline does not tell of a phase, or only of some.
const unknown = Object.fromEntries(['set', 'sets', 'mayEndEarly', 'reps', 'repsDone', 'signal', 'rate', 'intensity', 'note', 'link', 'target']
  .map((key) => [key]));

// Where a lane is.
// entry: { lane, at, outline }; lane as the coach wrote it, `at` when its elapsed times were right,
// outline its phases where they are known.
// now: milliseconds of the coach's clock.
// Between two events the phases follow each other by the outline, or by what the coach said of the next:
// the coach's event comes after the boundary that it reports.
export function standing(entry, now) {
  const { lane, at } = entry;
  const isRunning = lane.state === 'running';
  const start = Math.max(at, lane.startsAt ?? 0) / 1e6;
  const passed = isRunning ? Math.max(0, now - start) : 0;
  const place = {
    ...lane,
    // Before a surprise nothing says what comes.
    next: lane.beforeSurprise ? null : lane.next,
    countdown: lane.countdown ?? 3,
    rate: lane.heartRateBelow,
    left: lane.phaseLeft === undefined ? null : lane.phaseLeft / 1e6,
    sincePhase: lane.phaseElapsed / 1e6 + passed,
    elapsed: lane.elapsed / 1e6 + passed,
    workoutLeft: lane.workoutLeft === undefined ? null : lane.workoutLeft / 1e6,
    wait: null,
  };
  if (lane.startsAt / 1e6 > now) {
    // A workout that begins at once has no wait to be shown.
    if (lane.startsAt / 1e6 - now > shortest) place.wait = lane.startsAt / 1e6 - now;
    return place;
  }
  if (!isRunning) return place;
  if (lane.workoutEndsAt) place.workoutLeft = lane.workoutEndsAt / 1e6 - now;
  if (!lane.phaseEndsAt) return place;
  let end = lane.phaseEndsAt / 1e6;
  for (let segment; end <= now && (segment = phaseAhead(entry, place.phase + 1));) {
    Object.assign(place, unknown, segment);
    place.phase += 1;
    // Without an outline what is next comes with the event.
    place.next = place.phase + 1 < lane.phases
      ? phaseAhead(entry, place.phase + 1)?.label ?? null : undefined;
    place.sincePhase = now - end;
    if (segment.seconds === undefined) {
      place.left = null;
      return place;
    }
    end += segment.seconds * 1000;
  }
  place.left = Math.max(0, end - now);
  // A clock that is a little slow shows no more than the whole phase.
  if (place.phase === lane.phase && lane.phaseLeft !== undefined) {
    place.left = Math.min(place.left, (lane.phaseLeft + lane.phaseElapsed) / 1e6);
  }
  return place;
}

function phaseAhead({ lane, outline }, phase) {
  return outline?.[phase] ?? (phase === lane.phase + 1 ? lane.following : undefined);
}

// Milliseconds until a number of the lane changes; Infinity where none does.
export function untilChange(place) {
  if (place.wait !== null) return place.wait % 1000 || 1000;
  if (place.state !== 'running') return Infinity;
  if (place.elapsed === 0) return 20;
  const toLess = [place.left, place.workoutLeft].filter((left) => left !== null)
    .map((left) => left % 1000 || 1000);
  return Math.min(...toLess, 1000 - (place.elapsed % 1000), 1000 - (place.sincePhase % 1000));
}

// At the end nothing is left to be counted, and nothing follows.
export const outcome = ({ state }) => word(state === 'finished' ? state : 'stopped').replace(/^./u, (letter) => letter.toLocaleUpperCase());

// What a screen reader says at a change of the phase.
export function spoken(place) {
  if (place.state === 'finished') return outcome(place);
  const parts = [place.state === 'paused' ? word('paused') : '', place.label];
  if (place.left !== null) {
    const length = spokenLength(secondsLeft(place.left));
    parts.push(place.mayEndEarly ? word('atMost', { time: length }) : length);
  }
  if (place.set) parts.push(word('set', place));
  return parts.filter(Boolean).join(', ');
}

export const svg = (name, attributes) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

// An open phase is drawn as long as this, with a stripe.
const openSeconds = 30;
// Thousandths of the bar.
const gap = 5;
const calm = new Set(['low', 'rest', 'recovery']);

// The whole workout with its phases to scale.
export function profile(outline) {
  const lengths = outline.map((segment) => segment.seconds ?? openSeconds);
  const total = lengths.reduce((sum, length) => sum + length, 0) || 1;
  const bar = svg('svg', {
    class: 'profile', viewBox: '0 0 1000 10', preserveAspectRatio: 'none', 'aria-hidden': 'true',
  });
  const starts = [];
  let start = 0;
  outline.forEach(({ kind, seconds }, index) => {
    starts.push(start);
    const width = (lengths[index] / total) * 1000;
    // Neighbours differ by more than their colours: by a gap, and by their height.
    const place = { x: start.toFixed(2), width: (width - Math.min(gap, width * 0.3)).toFixed(2) };
    const height = calm.has(kind) ? 6 : 10;
    bar.append(svg('rect', { ...place, y: 10 - height, height, 'data-kind': kind }));
    if (seconds === undefined) bar.append(svg('rect', { ...place, y: 10 - height / 2, height: 2, class: 'open' }));
    start += width;
  });
  // Where a place is on the bar. The parts of a long workout are its sets, not its phases.
  const at = (place, phases) => {
    if (phases === outline.length && place.phase < phases) {
      return starts[place.phase] + part(place) * (lengths[place.phase] / total) * 1000;
    }
    const whole = place.elapsed + (place.workoutLeft ?? 0);
    return place.workoutLeft === null || whole <= 0 ? 0 : (place.elapsed / whole) * 1000;
  };
  return { bar, at };
}

// How far a phase is, from 0 to 1.
function part(place) {
  if (place.left === null) return 0;
  const whole = place.sincePhase + place.left;
  return whole > 0 ? Math.min(1, place.sincePhase / whole) : 1;
}

// In letters: those of Chinese, Japanese and Korean have the width of two.
const widthOf = (text) => text.replace(/[\u2e80-\uffef]/g, '$&$&').length;

// What two names have in common, however they are written.
const letters = (name) => name.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name;

// A lane that is called as its workout or its preset is, of whose name the coach takes 32 letters, is nobody's: then its number,
// where there are several. Null where it has a person's name.
const numberOf = ({ name, workout, preset = workout }) => {
  const theirs = [workout, preset].flatMap((each) => [each, [...each].slice(0, 32).join('')]).map(letters);
  const [stem, number] = name.split(/( \d+)$/);
  return theirs.includes(letters(name)) ? '' : theirs.includes(letters(stem)) ? number : null;
};
export const isNamed = (lane) => numberOf(lane) === null;

// Whose workout it is, where that is known; shortly, and whole.
export const shortTitleOf = (lane) => isNamed(lane) ? lane.name : lane.workout + numberOf(lane);
export const titleOf = (lane) => isNamed(lane) ? `${lane.name} · ${lane.workout}` : shortTitleOf(lane);

// What is left of the workout.
function leftText(place) {
  const time = clockText(secondsLeft(place.workoutLeft));
  return place.workoutMayEndEarly ? word('atMost', { time }) : `${word('left')} ${time}`;
}

// When a workout begins, by the clock of the day. Whole minutes stay what they are while it is measured.
export function startText(wait, parts) {
  const at = new Date(Math.round((Date.now() + wait) / 5000) * 5000);
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit', ...parts }).format(at);
  return parts ? time : word('at', { time });
}

export class LanePanel {
  element = create('article', 'lane');
  #inside = create('div', 'inside');
  #parts = {};
  #profile = null;
  #outline = null;
  #passed = null;
  #here = null;

  constructor() {
    for (const [name, kind] of [
      ['name', 'h2'], ['phase', 'p'], ['sets', 'p'], ['note', 'p'], ['countdown', 'p'], ['next', 'p'],
      ['times', 'p'],
    ]) {
      this.#parts[name] = create(kind, name);
      // Names of people and phases are written in any direction.
      this.#parts[name].dir = 'auto';
      this.#inside.append(this.#parts[name]);
    }
    // The countdown fills what the texts leave.
    const clock = create('div', 'clock');
    this.#parts.countdown.replaceWith(clock);
    clock.append(this.#parts.countdown);
    this.element.append(this.#inside);
    this.#parts.countdown.role = 'timer';
    this.#parts.countdown.ariaLive = 'off';
    this.#parts.elapsed = create('span', 'elapsed');
    this.#parts.left = create('span', 'left');
    this.#parts.times.append(this.#parts.elapsed, this.#parts.left);
  }

  #write(name, text) {
    const part = this.#parts[name];
    if (part.textContent !== text) {
      part.textContent = text;
      part.style.setProperty('--letters', widthOf(text));
    }
    part.hidden = text === '';
  }

  show(entry, place) {
    const { lane } = entry;
    const isOver = place.state === 'finished';
    this.element.dataset.kind = isOver ? 'finish' : place.kind ?? '';
    this.element.dataset.state = place.wait !== null ? 'waiting' : place.state;
    this.#showName(lane);
    const isWaiting = place.wait !== null;
    // Repetitions are counted in large figures where the phase has a number of them.
    const isCounted = !isOver && !isWaiting && place.reps;
    this.#write('phase', isOver ? outcome(place) : isWaiting
      ? word('startsIn') : [place.label, isCounted ? '' : place.repsDone || ''].filter(Boolean).join(' '));
    const { textContent: phase, style } = this.#parts.phase;
    style.setProperty('--letters', Math.max(widthOf(phase) / 1.6, ...phase.split(/\s/).map(widthOf)));
    const isPaused = place.state === 'paused';
    const set = isOver || !place.set ? '' : word('set', place);
    const effort = isOver ? [] : [place.intensity, place.target?.words];
    this.#write('sets', isWaiting ? startText(place.wait)
      : [isPaused ? word('paused') : '', set, ...effort].filter(Boolean).join(' · '));
    this.#showNote(place);
    // An open phase is counted from its start: nobody knows its end.
    const isOpen = !isWaiting && (place.mayEndEarly || place.left === null);
    const countdown = isOver ? '' : isCounted ? `${place.repsDone ?? 0}/${place.reps}` : isOpen
      ? clockText(secondsPassed(place.sincePhase)) : clockText(secondsLeft(place.wait ?? place.left));
    this.#write('countdown', countdown);
    // One that counts up looks otherwise, and has an arrow before it.
    const isUp = isOpen && !isCounted;
    this.#parts.countdown.classList.toggle('up', isUp);
    this.#parts.countdown.classList.toggle('long', countdown.length > 6);
    this.#parts.countdown.style.setProperty('--letters', countdown.length + (isUp ? 1.2 : 0));
    const until = isOver ? '' : place.signal && !isWaiting
      ? word('untilSignal', place) : place.rate && !isWaiting
        ? word('untilHeartRate', place) : isOpen && !place.beforeSurprise && !place.reps
          ? word('untilNext') : '';
    const most = !isOver && isOpen && place.left !== null
      ? word('atMost', { time: clockText(secondsLeft(place.left)) }) : '';
    const next = isOver ? '' : isWaiting ? word('nextPhase', { next: place.label }) : place.next === undefined ? word('last')
      : place.next === null ? '' : word('nextPhase', place);
    // An empty line keeps its place.
    this.#write('next', [until, most, next].filter(Boolean).join(' · ') || '\u00a0');
    this.#write('elapsed', `${word('elapsed')} ${clockText(secondsPassed(place.elapsed))}`);
    this.#write('left', isOver || place.workoutLeft === null ? '' : leftText(place));
    this.#showProfile(entry.parts, place, lane.phases);
  }

  // A television has whose it is on a line of its own.
  #showName(lane) {
    const part = this.#parts.name;
    if (part.textContent === titleOf(lane)) return;
    const texts = isNamed(lane) ? [lane.name, ' · ', lane.workout] : [shortTitleOf(lane)];
    part.replaceChildren(...texts.map((text, index) => create('span', ['who', 'dot', 'what'][index], text)));
    part.style.setProperty('--letters', widthOf(texts[0]));
  }

  // The note, and its link where that is a page's address.
  #showNote({ note, link }) {
    const part = this.#parts.note;
    const key = JSON.stringify([note, link]);
    if (part.dataset.key === key) return;
    part.dataset.key = key;
    part.replaceChildren(note ?? '');
    if (/^https?:\/\//i.test(link ?? '')) {
      const anchor = create('a', 'link');
      anchor.href = link;
      anchor.target = '_blank';
      anchor.rel = 'noopener noreferrer';
      anchor.textContent = link.replace(/^https?:\/\//i, '');
      part.append(note === undefined ? '' : ' ', anchor);
    }
    part.hidden = part.textContent === '';
  }

  #showProfile(outline, place, phases) {
    if (outline !== this.#outline) {
      this.#outline = outline;
      this.#profile?.bar.remove();
      this.#profile = outline?.length ? profile(outline) : null;
      if (this.#profile) {
        this.#passed = svg('rect', { class: 'passed', x: 0, y: 0, height: 10, width: 0 });
        this.#here = svg('rect', { class: 'here', x: 0, y: 0, height: 10, width: 5 });
        this.#profile.bar.append(this.#passed, this.#here);
        this.#inside.prepend(this.#profile.bar);
      }
    }
    if (this.#profile) {
      const here = this.#profile.at(place, phases);
      this.#passed.setAttribute('width', here.toFixed(2));
      this.#here.setAttribute('x', Math.max(0, here - 2.5).toFixed(2));
    }
  }
}

// The page: what is known of the coach, drawn at the instants at which it changes.

import { PresetCard } from './card.js';
import { CoachClock } from './clock.js';
import { Coach, kept, viewMark } from './coach.js';
import { Captions, Effects, keepScreenOn, Media } from './effects.js';
import { Ends } from './ends.js';
import { HistoryList } from './history.js';
import { isNamed, LanePanel, shortTitleOf, spoken, standing, titleOf, untilChange } from './lane.js';
import { button, create, PresetList } from './lists.js';
import { Notices } from './notices.js';
import { OwnPresets } from './own.js';
import { QuickTimer } from './quick.js';
import { Plans, showOutput } from './sheet.js';
import { Stopping } from './stopping.js';
import { Taps } from './taps.js';
import { choose, language, languages, preferred, speak, word, wordOr } from './words.js';

const find = (selector) => document.querySelector(selector);
const body = document.body;
const isIn = (...views) => views.includes(body.dataset.view);
const clock = new CoachClock();

// By name, in the coach's order: { lane, at, parts, outline }. `parts` is what the bar is drawn from,
// `outline` the same where its parts are the phases.
let lanes = new Map();
const allLanes = () => [...lanes.values()].map(({ lane }) => lane);
const panels = new Map();
const announced = new Map();
// Whom the buttons are for; null for everyone.
let chosen = null;
const isMeant = (name) => chosen === null || name === chosen;
let isConnected = false;
// It has not been connected for so long that a person is to know, three seconds.
let isAway = false;
let awayTimer = 0;
// Too many wrong tokens came from here.
let isSlowed = false;
let isThere = true;
let device = { state: 'idle' };
let lostAt = -Infinity;

const notices = new Notices(find('#lasting'), find('#passing'), find('#mark'), refocus);
const write = (id, text) => { find(id).textContent = text; };
const say = (text, action) => notices.say(text, action);
let failure = '';
function fail(error) {
  if (!error) return notices.drop(failure);
  failure = reason(error);
  say(failure);
}
kept.onLost = () => {
  kept.onLost = null;
  say(word('unkept'));
};

function notice() {
  let text = '';
  if (isSlowed) text = word('slowed');
  else if (isIn('locked')) text = '';
  else if (isAway) text = word('offline');
  else if (taps.isStalled) text = word('stalled');
  else if (!isThere) text = word('gone');
  else if (device.state === 'lost') text = word('noSound', { reason: deviceReason() });
  notices.last(text);
  body.classList.toggle('unreachable', isAway || taps.isStalled || !isThere);
}

const deviceReason = () => wordOr(device.reason ?? '', `device-${device.reason}`);

// The connection.

const coach = new Coach(take, (state) => {
  if (state === 'wrong') return say(word('wrongLink'));
  isConnected = state === 'open';
  if (isConnected) body.classList.remove('looking');
  if (isConnected) {
    clearTimeout(awayTimer);
    awayTimer = 0;
    isAway = false;
    notices.drop(word('offline'));
    taps.heard();
    // Where the coach's machine has begun anew, so has its clock.
    clock.forget();
  } else {
    awayTimer ||= setTimeout(() => { isAway = true; notice(); }, 3000);
  }
  isSlowed = state === 'slowed';
  if (state === 'locked') view('locked');
  if (state === 'open') {
    if (isIn('locked')) {
      notices.drop(word('wrongLink'));
      view(isViewAddress() ? 'tv' : 'home');
    }
    measure();
  }
  notice();
});

async function measure() {
  try {
    await clock.measure(() => coach.clock());
  } catch {
    // The next one is soon.
  }
  draw();
}
setInterval(() => { if (!document.hidden && isConnected) measure(); }, 20_000);
document.addEventListener('visibilitychange', () => {
  if (document.hidden) return;
  clock.forget();
  if (isConnected) measure();
  draw();
});

// An hour, nanoseconds.
const soon = 3600e9;
// A minute before a workout begins it is shown in place of the ends of others.
const near = 60e9;

function take(message) {
  switch (message.type) {
    case 'snapshot': {
      const hadLanes = lanes.size > 0;
      isThere = true;
      device = message.device;
      setLanes(message.lanes);
      showVolume(message);
      load();
      // One that begins much later calls nobody.
      if (hadLanes !== lanes.size > 0) follow(message.lanes.some(({ lane, at }) => !(lane.startsAt - at > soon)) ? 'run' : 'home');
      break;
    }
    case 'gone':
      isThere = false;
      presets.lack(word('goneHow'));
      break;
    // Of a link to look on.
    case 'viewer':
      body.classList.add('looking');
      break;
    case 'lane': {
      const { lane, at } = message;
      const isNew = !lanes.has(lane.name);
      // One that begins much later calls nobody.
      const isLater = lane.startsAt - at > soon;
      if (!(lane.startsAt - at > near) && allLanes().every(({ state }) => state === 'ready')) ends.clear();
      const entry = taken(lane, at);
      lanes.set(lane.name, entry);
      if (isNew && !isLater) {
        if (!isResting()) follow('run');
        // What was interrupted under its name is over.
        lookBack(true);
        // The touch that started it came before it ran.
        if (starting) media.touch(true);
      }
      if (!entry.parts) fetchOutlines();
      break;
    }
    case 'ended':
      end(message.lane);
      break;
    case 'speech':
      captions.note(message);
      // Of a preset that is heard, in no workout.
      if (!message.lanes.length) own.editor.heard(message.withdrawn ? 0 : message.until / 1e6 - clock.now());
      break;
    case 'device':
      if (message.device.state === 'lost' && device.state !== 'lost') lostAt = performance.now();
      device = message.device;
      break;
    case 'volume':
      showVolume(message);
      if (isIn('settings')) showOutput(find('#output'), coach, command);
      break;
    // Somebody has changed presets, favourites, starts that repeat or the history.
    case 'lists':
      if (isIn('home')) load(false);
      lookBack(true);
      break;
    case 'warning':
      // The line that lasts says that the sound is lost.
      if (device.state !== 'lost' || performance.now() - lostAt > 1000) warned = warn(message.message);
      break;
  }
  stopping.note(lanes);
  plans.show();
  notice();
  draw();
}

// Nobody trains, or soon will: what has ended is shown.
const isResting = () => allLanes().every(({ startsAt }) => startsAt - clock.now() * 1e6 > (ends.count ? near : Infinity));

// What was said of workouts that have ended while others run: the cards say it once all have.
const ended = [];
function end(lane) {
  const known = lanes.get(lane.name);
  lanes.delete(lane.name);
  if (chosen === lane.name) chosen = null;
  // One that has not begun has come to nothing.
  const hasBegun = !(known?.lane.startsAt / 1e6 > clock.now());
  if (hasBegun) {
    ends.add(lane, titleOf(lane));
    effects.end();
  }
  if (!isResting() || !hasBegun || !isIn('run', 'tv')) {
    const name = titleOf(lane);
    const text = hasBegun ? `${name}: ${word(lane.state === 'finished' ? 'finished' : 'stopped')}` : word('unbegun', { name });
    say(text);
    if (hasBegun) ended.push(text);
  }
  if (isResting()) for (const text of ended.splice(0)) if (isIn('run', 'tv')) notices.drop(text);
  if (isResting() && ends.count) write('#spoken', ends.spoken());
  if (!lanes.size && !ends.count && isIn('run')) view('home');
  lookBack(true);
}

// What is known of a lane's phases holds for as long as it is the same workout.
function taken(lane, at) {
  const known = lanes.get(lane.name);
  const isSame = known?.lane.workout === lane.workout && known.lane.phases === lane.phases;
  return { lane, at, parts: isSame ? known.parts : null, outline: isSame ? known.outline : null };
}

function setLanes(entries) {
  if (entries.length && !lanes.size) ends.clear();
  lanes = new Map(entries.map(({ lane, at }) => [lane.name, taken(lane, at)]));
  if (!lanes.has(chosen)) chosen = null;
  if ([...lanes.values()].some((entry) => !entry.parts)) fetchOutlines();
}

async function fetchOutlines() {
  let outlines;
  try {
    ({ outlines } = await coach.ask({ verb: 'status', outline: true }));
  } catch {
    return;
  }
  for (const [name, outline] of Object.entries(outlines ?? {})) {
    const entry = lanes.get(name);
    if (!entry) continue;
    entry.parts = outline;
    // A long workout is summed up: its parts are no phases.
    entry.outline = outline.length === entry.lane.phases ? outline : null;
  }
  // Some are too long for an outline: they are not asked for again.
  for (const entry of lanes.values()) entry.parts ??= [];
  draw();
}

function load(hasTrained = true) {
  plans.load();
  presets.load().then(() => { plans.show(); lookBack(hasTrained); })
    .catch((error) => { if (!(error instanceof TypeError)) fail(error); });
}

// The history is long: it is asked for when it is needed.
let isOld = true;
function lookBack(hasChanged) {
  isOld ||= hasChanged;
  if (!isOld || !isIn('past') && !(isIn('home') && body.classList.contains('card-open'))) return;
  isOld = false;
  histories.load().catch((error) => {
    isOld = true;
    if (isIn('past') && !(error instanceof TypeError)) fail(error);
  });
}

// Commands.

const taps = new Taps(coach, clock, notice);

// options: as of `Taps.send`.
async function command(fields, options) {
  try {
    return await taps.send(fields, options);
  } catch (error) {
    // The notice says that the coach does not answer, for as long as that is so.
    if (error.code !== 'late' && !isAway) fail(error);
    return null;
  }
}

// Says what the coach warns of, one line after the other. All pages are told in English; asked, the coach says so in this one's
// language.
let warned;
async function warn(text) {
  await warned;
  const { snapshot, warnings } = await coach.know({ verb: 'status' });
  say(warnings?.[snapshot.warnings.lastIndexOf(text)] ?? text);
}

// Why a request came to nothing.
function reason({ code, message, verb }) {
  if (code === undefined || !message) return word('offline');
  if (code > 0) return word({ 401: 'locked', 429: 'slowed' }[code] ?? (code < 500 ? 'refused-malformed' : 'unanswered'));
  if (code === 'busy' || code === 'no-effect' && verb === 'preset-hear') return message;
  // Of what a start asks for, the coach's line says no more.
  if (code === 'full' && verb !== 'start') return word('noRoom');
  return wordOr(message, `refused-${code}`, { message });
}

// By its name: one that is still to begin ends by that alone.
function laneCommand(verb, button) {
  const lane = chosen ?? (lanes.size === 1 ? [...lanes.keys()][0] : null);
  return command(lane === null ? { verb } : { verb, lane }, { button });
}

// What this page has started, by the lane's name, and how many it is about to start.
const started = new Map();
let starting = 0;

// fields: of a start.
async function start({ lanes: several, ...fields }, button) {
  // One that comes again is one's own.
  if (several && fields.days) {
    for (const lane of several) if (!await start({ ...fields, lane }, button)) return false;
    return true;
  }
  const isNow = !fields.at && !fields.days;
  starting += isNow;
  const answer = await command({ verb: 'start', ...fields, lanes: several }, { button });
  setTimeout(() => { starting -= isNow; }, 2000);
  if (!answer) return false;
  for (const lane of several ?? [fields.lane]) presets.use(fields.preset, lane);
  if (fields.days) {
    plans.load();
    say(`${presets.titleOf(fields.preset)}: ${fields.time} ${word(fields.days)}`);
    return true;
  }
  for (const each of answer.lanes ?? []) started.set(each, fields);
  for (const text of answer.warnings ?? []) say(text);
  ends.clear();
  turn('run');
  pick(lanes.size > 1 && !several ? answer.lanes?.[0] ?? null : null);
  return true;
}

// A workout once more: as it was started here, or by its preset's name.
function again(lane) {
  const { at, ...ours } = started.get(lane.name) ?? {};
  const fields = ours.preset === lane.preset ? ours : { preset: lane.preset };
  return (fields.preset || fields.quick) && ((button) => start({ ...fields, lane: isNamed(lane) ? lane.name : undefined }, button));
}

const ends = new Ends(find('#ends'), again);
const card = new PresetCard(find('#card'), coach, clock, start, () => {
  body.classList.remove('card-open');
  presets.mark(null);
}, (name) => own.edit(name));
const presets = new PresetList(find('#finder'), find('#presets'), coach, card, () => {
  body.classList.add('card-open');
  deepen();
  lookBack();
}, command, () => allLanes().filter(isNamed).map(({ name }) => name));
const quick = new QuickTimer(find('#quick'), start);
const own = new OwnPresets(find('#edit'), coach, {
  has: (name) => presets.has(name),
  titleOf: (name) => presets.titleOf(name),
  open: () => view('edit'),
  close(name) {
    view('home');
    card.close();
    if (name) presets.open(name);
    if (!body.classList.contains('card-open')) find('#new').focus();
  },
  changed() {
    showDrafts();
    return presets.load();
  },
  say,
  fail,
});
find('#new').onclick = () => own.create();
find('#upload').onchange = ({ target }) => {
  if (target.files[0]) own.upload(target.files[0]);
  target.value = '';
};
const histories = new HistoryList(find('#past'), coach, {
  onPeople: (names) => card.offer(names),
  titleOf: (preset) => presets.titleOf(preset),
  command,
  resumed() {
    turn('run');
    lookBack(true);
  },
  say,
  fail,
});

const plans = new Plans(find('#plans'), coach, {
  waiting: () => allLanes().map((lane) => ({ lane, wait: lane.startsAt / 1e6 - clock.now() })).filter(({ wait }) => wait > 1000),
  titleOf: (preset) => presets.titleOf(preset),
  hold: (lane, waiting) => stopping.hold([lane], waiting),
  command,
  say,
});

const effects = new Effects(find('#flash'), find('#settings'), () => media.touch(lanes.size > 0));
const captions = new Captions(find('#caption'));
const media = new Media({
  play: () => laneCommand('resume'), pause: () => laneCommand('pause'),
  nexttrack: () => laneCommand('next'), previoustrack: () => laneCommand('back'),
});
for (const kind of ['pointerup', 'keyup']) {
  addEventListener(kind, () => media.touch(lanes.size > 0), { passive: true });
}

// Resume where everything chosen that has begun is paused.
function isPaused() {
  const begun = allLanes().filter(({ name, state }) => isMeant(name) && state !== 'ready');
  return begun.length > 0 && begun.every(({ state }) => state === 'paused');
}

const buttonOf = (verb) => find(`[data-verb=${verb}]`);
function press(verb) {
  if (verb === 'end') endPhase(buttonOf(verb));
  else laneCommand(verb !== 'toggle' ? verb : isPaused() ? 'resume' : 'pause', buttonOf(verb));
}

// Those of the buttons that run.
function running() {
  return allLanes().filter(({ name, state }) => state === 'running' && isMeant(name));
}

// What ends the phases of those chosen: a count, or a signal. Nothing where they differ.
function openEnd() {
  const some = running();
  if (!some.length) return null;
  if (some.every(({ reps, repsDone }) => repsDone < (reps ?? Infinity))) return { verb: 'rep' };
  const { signal } = some[0];
  return signal && some.every((lane) => lane.signal === signal)
    ? { verb: 'signal', signal } : null;
}
function endPhase(button) {
  const end = openEnd();
  if (end) command(chosen === null ? end : { ...end, lane: chosen }, { button });
}
// Each gets the signal that its phase waits for.
function endBySignal() {
  for (const { name, signal } of running()) {
    if (signal) command({ verb: 'signal', signal, lane: name });
  }
}
function showEnd() {
  const end = openEnd();
  find('#end').hidden = !end;
  if (end) write('#end-word', word(end.verb));
}
for (const button of document.querySelectorAll('[data-verb]')) {
  button.onclick = () => press(button.dataset.verb);
}

// A tap on Stop holds, and can be undone.
const stopping = new Stopping(command, () => {
  find('#held').hidden = !stopping.isHolding;
  find('#stop').ariaDisabled = stopping.isHolding;
  if (stopping.isHolding) showHeld();
});
// A workout that has not begun cannot be held: the message says that it will not begin.
function showHeld() {
  const held = allLanes().filter(({ name }) => stopping.names.includes(name));
  write('#held-word', held.every(({ state }) => state === 'ready') ? word('unbegun', { name: held.map(titleOf).join(', ') }) : word('held'));
}
find('#stop').onclick = (event) => {
  askStop(false);
  const all = allLanes();
  const begun = all.filter(({ state }) => state !== 'ready');
  // One that is still to begin is ended by its name.
  stopping.hold(chosen !== null ? all.filter(({ name }) => name === chosen) : begun.length ? begun : all,
    event.currentTarget);
};
find('#undo').onclick = () => {
  stopping.undo(buttonOf('toggle'));
  refocus();
};
// Nobody can undo it any more.
document.addEventListener('visibilitychange', () => { if (document.hidden) stopping.finish(true); });
addEventListener('pagehide', () => stopping.finish(true));

// The key stops at the second press within four seconds.
let stopTimer = 0;
function askStop(isAsking) {
  clearTimeout(stopTimer);
  stopTimer = isAsking ? setTimeout(() => askStop(false), 4000) : 0;
  find('#stop').classList.toggle('asking', isAsking);
  write('#stop-word', word(isAsking ? 'stopSure' : 'stop'));
  if (isAsking) write('#spoken', word('stopAgain'));
}
function stop() {
  if (!stopTimer) return askStop(true);
  askStop(false);
  laneCommand('stop');
}

// While a finger holds the slider, it shows what the finger says.
const volume = find('#volume');
let isHeld = false;
let volumeTimer = 0;
const mute = find('#mute');
function showVolume({ volume: percent, muted }) {
  if (!isHeld) volume.value = percent;
  // An older coach cannot be silenced.
  mute.hidden = muted === undefined;
  mute.ariaPressed = muted;
}
mute.onclick = () => command({ verb: 'volume', muted: mute.ariaPressed !== 'true' }, { button: mute });
volume.oninput = () => {
  isHeld = true;
  volumeTimer ||= setTimeout(async () => {
    volumeTimer = 0;
    await command({ verb: 'volume', volume: Number(volume.value) });
  }, 120);
};
volume.onchange = () => { isHeld = false; };

const keys = {
  ' ': () => press('toggle'), n: () => press('next'), b: () => press('back'), w: () => press('where-am-i'), q: stop,
  r: () => laneCommand('rep'), s: endBySignal,
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (isIn('tv')) return event.key === 'Escape' ? leave() : offerLeave();
  if (isIn('home') && event.key === 'Escape') return card.close();
  // What is still to begin is not seen behind an end, and no key ends it.
  if (!isIn('run') || body.classList.contains('looking') || isResting()) return;
  if (event.target.closest('input, select')) return;
  // The space bar presses a button that has the focus.
  if (event.key === ' ' && event.target.closest('button')) return;
  const key = event.key.toLowerCase();
  if (stopTimer && key !== 'q' && event.key.length === 1) askStop(false);
  if (key in keys) {
    event.preventDefault();
    keys[key]();
  } else if (/^[0-9]$/.test(key) && lanes.size > 1) {
    pick([null, ...lanes.keys()][Number(key)] ?? null);
  }
});

// Views.

function showDrafts() {
  find('#drafts').replaceChildren(...Object.entries(own.drafts).map(([key, draft]) => {
    const proceed = button('draft', () => own.proceed(key), 'chip');
    proceed.append(`: ${draft.title || draft.name || word('own')}`);
    return proceed;
  }));
}

function view(name) {
  body.dataset.view = name;
  body.classList.toggle('tv', name === 'tv');
  for (const tab of document.querySelectorAll('#top [data-tab]')) {
    tab.ariaCurrent = tab.dataset.tab === name ? 'page' : null;
  }
  deepen();
  if (name === 'settings') showOutput(find('#output'), coach, command);
  if (name === 'home') {
    quick.turn();
    // Other phones make presets, too.
    if (isConnected) load();
    showDrafts();
  }
  lookBack();
  draw();
  if (name === 'run') refocus();
}
// What had the focus is not to be seen any more. In a workout the space bar is to pause.
function refocus() {
  if (!document.activeElement?.offsetParent) (isIn('run') ? find('#lanes') : find('[aria-current]'))?.focus();
}
// A television shows what it shows, and who edits goes on.
const turn = (name) => { if (!isIn('tv', 'edit')) view(name); };
// A change that nobody has asked for here: whoever reads a card or the history, or writes, is not thrown out of it.
function follow(name) {
  const isWriting = document.activeElement?.closest('input:not([type=checkbox]), select');
  const isFree = isIn('home') ? !body.classList.contains('card-open') : isIn('settings') && name === 'run';
  if (isIn('run') || isFree && !isWriting) view(name);
}
for (const tab of document.querySelectorAll('[data-tab]')) {
  tab.onclick = () => {
    if (tab.dataset.tab === 'home' && isIn('home')) card.close();
    // What is still to begin is seen behind what has ended.
    if (tab.dataset.tab === 'run' && isIn('run') && isResting() && lanes.size) ends.clear();
    view(tab.dataset.tab);
    scrollTo(0, 0);
  };
}

// A phone's Back leads to the list of workouts, and from there out of the page.
const isDeep = () => !isIn('locked') && (body.classList.contains('card-open') || !isIn('home'));
function deepen() {
  if (isDeep() && !isViewAddress() && !history.state) history.pushState(true, '');
}
addEventListener('popstate', ({ state }) => {
  // A new link has its token behind the #. Forward leads nowhere.
  if (location.hash.length > 1 || state && !isDeep()) return;
  // A tab has led to the list already: this step leads out.
  if (!isDeep()) return history.back();
  // A field takes what is typed when it is left.
  document.activeElement.blur();
  if (isIn('tv')) return leave();
  card.close();
  view('home');
});

// For a television.
const isViewAddress = () => location.hash.startsWith(viewMark);
function watch() {
  view('tv');
  scrollTo(0, 0);
  history.replaceState(history.state, '', location.pathname + viewMark);
}
function leave() {
  history.replaceState(history.state, '', location.pathname);
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  view(lanes.size ? 'run' : 'home');
}
let leaveTimer = 0;
function offerLeave() {
  find('#leave').hidden = false;
  clearTimeout(leaveTimer);
  leaveTimer = setTimeout(() => { find('#leave').hidden = true; }, 4000);
}
find('#view').onclick = () => {
  watch();
  document.documentElement.requestFullscreen?.().catch(() => {});
};
find('#leave').onclick = leave;
addEventListener('pointerup', () => { if (isIn('tv')) offerLeave(); });
addEventListener('fullscreenchange', () => {
  if (!document.fullscreenElement && isIn('tv')) leave();
});
addEventListener('hashchange', () => { if (isViewAddress()) view('tv'); });

find('#unlock').onsubmit = (event) => {
  event.preventDefault();
  coach.unlock(find('#link').value);
  find('#link').value = '';
};

function pick(name) {
  chosen = name;
  askStop(false);
  draw();
  find('#choice [aria-pressed=true]')?.scrollIntoView({ block: 'nearest' });
  find('#lanes').scrollTop = 0;
}

function drawChoice() {
  const names = [null, ...lanes.keys()];
  const group = find('#choice');
  group.hidden = lanes.size < 2;
  group.ariaLabel = word('forWhom');
  if (group.childElementCount !== names.length) {
    group.replaceChildren(...names.map(() => create('button')));
  }
  names.forEach((name, index) => {
    const button = group.children[index];
    button.textContent = name === null ? word('all') : shortTitleOf(lanes.get(name).lane);
    button.ariaPressed = name === chosen;
    button.onclick = () => pick(name);
  });
}

let drawTimer = 0;
function draw() {
  clearTimeout(drawTimer);
  const now = clock.now();
  let wait = Infinity;
  const places = [];
  for (const [name, panel] of panels) {
    if (lanes.has(name)) continue;
    panel.element.remove();
    panels.delete(name);
    announced.delete(name);
    effects.forget(name);
  }
  for (const [name, entry] of lanes) {
    if (!panels.has(name)) panels.set(name, new LanePanel());
    const panel = panels.get(name);
    const place = standing(entry, now);
    panel.show(entry, place);
    const isFor = isMeant(name);
    panel.element.classList.toggle('small', !isFor && !isIn('tv'));
    announce(name, place);
    if (isFor) effects.note(name, place);
    else effects.forget(name);
    places.push(place);
    wait = Math.min(wait, untilChange(place));
  }
  const shown = [...lanes.keys()].map((name) => panels.get(name).element);
  const list = find('#lanes');
  if (shown.some((element, index) => list.children[index] !== element)) list.replaceChildren(...shown);
  list.dataset.count = lanes.size;
  list.className = lanes.size === 1 ? 'one' : lanes.size < 4 ? 'few' : lanes.size > 9 ? 'many' : '';
  list.style.setProperty('--lanes', lanes.size);
  list.style.setProperty('--root', Math.ceil(Math.sqrt(lanes.size)));
  body.dataset.kind = lanes.size === 1 ? shown[0].dataset.kind : '';
  body.classList.toggle('resting', isResting());
  find('#nothing').hidden = ends.count > 0;
  write('#toggle-word', word(isPaused() ? 'resume' : 'pause'));
  body.classList.toggle('paused', isPaused());
  body.classList.toggle('later', lanes.size > 0 && allLanes().every(({ name, state }) =>
    state === 'ready' || !isMeant(name)));
  showMedia(places);
  wait = Math.min(wait, captions.show(now));
  showEnd();
  drawChoice();
  keepScreenOn(allLanes().some(({ state }) => state === 'running'));
  // A hair after the change, never before it.
  if (wait < Infinity && clock.isKnown) drawTimer = setTimeout(draw, wait + 1);
}

// At a change of the phase or the state, and at no other time.
function announce(name, place) {
  if (isResting()) return;
  const key = `${place.phase} ${place.state} ${place.label}`;
  const before = announced.get(name);
  announced.set(name, key);
  if (before === key || !clock.isKnown) return;
  const text = spoken(place);
  const { lane } = lanes.get(name);
  write('#spoken', lanes.size > 1 ? `${shortTitleOf(lane)}: ${text}` : text);
}

function showMedia(places) {
  if (!lanes.size) return media.stop();
  const index = Math.max(0, [...lanes.keys()].indexOf(chosen));
  const { label, set } = places[index];
  const lane = allLanes()[index];
  media.show({ title: label ?? lane.workout, artist: set ? word('set', places[index]) : '',
    album: titleOf(lane) }, isPaused());
}

// Begin.

for (const icon of document.querySelectorAll('svg')) Object.assign(icon, { ariaHidden: true }).setAttribute('viewBox', '0 0 24 24');

const menu = find('#language');
for (const [tag, name] of Object.entries(languages)) menu.append(new Option(name, tag));
function redraw() {
  menu.value = language;
  find('#search').placeholder = word('search');
  card.sheet.draw();
  card.show();
  quick.show();
  presets.show();
  plans.show();
  own.redraw();
  histories.show();
  ends.show();
  askStop(false);
  if (stopping.isHolding) showHeld();
  notice();
  draw();
}
menu.onchange = async () => { await choose(menu.value); redraw(); };
// Without the texts the page still counts down.
await speak(preferred()).catch(() => {});
view(isViewAddress() ? 'tv' : 'home');
redraw();
write('#spoken', '');
coach.start();
// Over HTTPS an installed page opens where the coach's machine is off, too.
navigator.serviceWorker?.register('/worker.js').catch(() => {});
navigator.serviceWorker?.ready.then(({ active }) => active.postMessage(
  [location.origin + '/', ...performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.includes('/api/'))]));

// How and when a workout is started: the style of this time, its hour, and the list of those that come again.

import { kept } from './coach.js';
import { menu, nameOf } from './fields.js';
import { startText, titleOf as titleOfLane } from './lane.js';
import { button, create, fill, foreign, line } from './lists.js';
import { dateText, languages, word } from './words.js';

const voiceKey = 'cuecoach-voice';
// Minutes; then an hour of the day, once or again and again.
const delays = [0, 1, 2, 5, 10, 15, 30, 60];
const hours = ['time', 'daily', 'weekdays'];

// Whether the coach's clock and the phone's show two times: then the coach's is named.
let areTwo = false;
const ofCoach = (text) => areTwo ? `${text}, ${word('coachClock')}` : text;

export class StartSheet {
  parts = [];
  voices = [];
  #when = '0';
  #time = '18:00';
  #style = {};

  clear() {
    this.#when = '0';
    this.#style = {};
    this.draw();
  }

  draw() {
    const time = create('input');
    Object.assign(time, { type: 'time', value: this.#time, ariaLabel: word('hour') });
    // An emptied one has the hour that it had.
    time.oninput = () => { this.#time = time.value || this.#time; };
    time.onblur = () => { time.value = this.#time; };
    const show = () => { time.hidden = !hours.includes(this.#when); };
    const texts = [...delays.map((minutes) => [`${minutes}`, minutes ? word('inMinutes', { minutes }) : word('now')]),
      ...hours.map((each) => [each, each === 'time' ? word('hour') : ofCoach(word(each))])];
    const when = menu(word('when'), texts, this.#when, 'when', (value) => {
      this.#when = value;
      show();
    });
    when.lastChild.id = 'delay';
    when.append(time);
    show();
    const more = create('details');
    const choices = { language: Object.entries(languages), density: ['quiet', 'counts', 'normal', 'full'].map((each) => [each, nameOf(each)]),
      sounds: ['default', 'gym', 'low'].map((each) => [each, word(`sounds-${each}`)]) };
    const usual = ['', word('usualVoice')];
    const grid = create('div', 'fields', ...Object.entries(choices).map(([key, options]) =>
      menu(nameOf(key), [usual, ...options], this.#style[key] ?? '', key, (value) => { this.#style[key] = value; })));
    more.append(create('summary', '', word('more')), grid);
    const voice = menu(word('voice'), [usual, ...this.voices], this.#voice, 'voice',
      (value) => kept.set(voiceKey, value));
    voice.lastChild.id = 'voice';
    voice.hidden = !this.voices.length;
    this.parts = [when, voice, more];
  }

  get #voice() { return this.voices.includes(kept.get(voiceKey)) ? kept.get(voiceKey) : ''; }

  // Of a request; now: milliseconds of the coach's clock.
  fields(now) {
    const style = Object.fromEntries(Object.entries({ ...this.#style, voice: this.#voice }).filter(([, value]) => value));
    const fields = Object.keys(style).length ? { style } : {};
    if (this.#when === 'daily' || this.#when === 'weekdays') return { ...fields, verb: 'schedule', time: this.#time, days: this.#when };
    let wait = Number(this.#when) * 60_000;
    if (this.#when === 'time') {
      const at = new Date();
      at.setHours(...this.#time.split(':').map(Number), 0, 0);
      if (at < new Date()) at.setDate(at.getDate() + 1);
      wait = at - new Date();
    }
    return wait ? { ...fields, at: Math.round((now + wait) * 1e6) } : fields;
  }
}

// Starts to come: once, and again and again, each with its hour, whether the last was missed, and a button that ends it.
export class Plans {
  #list;
  #coach;
  #options;
  #schedules = [];

  // options: waiting(): lanes with their `wait`; titleOf(preset); command(fields, options); say(text, action);
  // hold(lane, button): ends one.
  constructor(...given) {
    [this.#list, this.#coach, this.#options] = given;
  }

  async load() {
    const { schedules = [], now } = await this.#coach.know({ verb: 'schedules' });
    // The coach's hour as it is written there, without its zone; an older one does not tell it.
    areTwo = Math.abs(new Date(now?.slice(0, 19)) - new Date()) > 60_000;
    this.#schedules = schedules;
    this.show();
  }

  show() {
    const { command, hold, say, titleOf, waiting } = this.#options;
    const row = (at, title, texts, end) => {
      const item = create('li', 'past', foreign('span', 'title', title), line(texts), button('remove', end, 'resume'));
      item.dataset.at = at;
      return item;
    };
    const date = (text) => dateText(text, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
    const rows = [...waiting().map(({ lane, wait }) => row(lane.name, titleOfLane(lane), [startText(wait, { weekday: 'short' })], (each) => hold(lane, each))),
      ...this.#schedules.map(({ id, next, missed, ...plan }) => {
        const name = titleOf(plan.preset);
        return row(id, name, [plan.lane, ofCoach(`${plan.time} ${word(plan.days)}`), next && date(next),
          missed && `${word('missed')}: ${date(missed)}`], async (each) => {
          if (!await command({ verb: 'unschedule', schedule: id }, { button: each })) return;
          await this.load();
          (this.#list.querySelector('button') ?? document.querySelector('[aria-current]')).focus();
          say(word('unbegun', { name }), { text: word('undo'), run: async () => {
            if (await command({ verb: 'schedule', ...plan })) this.load();
          } });
        });
      })];
    this.#list.hidden = !rows.length;
    fill(this.#list, rows);
  }
}

// Where the sound comes out.
export async function showOutput(place, coach, command) {
  const { outputs = [], output } = await coach.know({ verb: 'outputs' });
  const choice = menu(word('output'), outputs, output, 'output', (value) => command({ verb: 'output', output: value }));
  place.replaceChildren(...outputs.length > 1 ? [choice] : []);
}

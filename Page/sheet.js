// How and when a workout is started: the style of this time, its hour, and the list of those that come again.

import { kept } from './coach.js';
import { menu, nameOf } from './fields.js';
import { button, create, foreign } from './lists.js';
import { dateText, languages, word } from './words.js';

const voiceKey = 'cuecoach-voice';
// Minutes; then an hour of the day, once or again and again.
const delays = [0, 1, 2, 5, 10, 15, 30, 60];
const hours = ['time', 'daily', 'weekdays'];

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
    Object.assign(time, { type: 'time', value: this.#time, hidden: !hours.includes(this.#when), ariaLabel: word('hour') });
    time.oninput = () => { this.#time = time.value; };
    const texts = [...delays.map((minutes) => [`${minutes}`, minutes ? word('inMinutes', { minutes }) : word('now')]),
      ...hours.map((each) => [each, word(each === 'time' ? 'hour' : each)])];
    const when = menu(word('when'), texts, this.#when, 'when', (value) => {
      this.#when = value;
      time.hidden = !hours.includes(value);
    });
    when.lastChild.id = 'delay';
    when.append(time);
    const more = create('details');
    const choices = { language: Object.entries(languages), density: ['quiet', 'counts', 'normal', 'full'].map((each) => [each, nameOf(each)]),
      sounds: ['default', 'gym', 'low'] };
    const usual = ['', word('usualVoice')];
    const grid = create('div', 'fields', '', ...Object.entries(choices).map(([key, options]) =>
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

// Those that come again: each with its hour, whether the last was missed, and a button that ends it.
export async function showPlans(list, coach, command) {
  const { schedules = [] } = await coach.know({ verb: 'schedules' });
  list.hidden = !schedules.length;
  list.replaceChildren(...schedules.map(({ id, preset, lane, time, days, next, missed }) => {
    const date = (text) => dateText(text, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
    const texts = [lane, `${time} ${word(days)}`, next && date(next), missed && `${word('missed')}: ${date(missed)}`];
    return create('li', 'past', foreign('span', 'title', preset), foreign('span', 'facts', texts.filter(Boolean).join(' · ')),
      button('remove', async (each) => {
        if (await command({ verb: 'unschedule', schedule: id }, { button: each })) showPlans(list, coach, command);
      }, 'resume'));
  }));
}

// Where the sound comes out.
export async function showOutput(place, coach, command) {
  const { outputs = [], output } = await coach.know({ verb: 'outputs' });
  const choice = menu(word('output'), outputs, output, 'output', (value) => command({ verb: 'output', output: value }));
  place.replaceChildren(...outputs.length > 1 ? [choice] : []);
}

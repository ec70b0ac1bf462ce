// The page's own texts. Names of phases and workouts come from the coach.

import { kept } from './coach.js';

const key = 'cuecoach-language';
export const languages = {
  de: 'Deutsch', en: 'English', es: 'Español', fr: 'Français', it: 'Italiano', nl: 'Nederlands',
  pl: 'Polski', pt: 'Português',
};

let words = {};
export let language = 'en';

// What was chosen here, else the first of the browser's languages that there is.
export function preferred() {
  const wanted = [kept.get(key), ...(navigator.languages ?? [navigator.language])];
  return wanted.map((tag) => tag?.slice(0, 2).toLowerCase()).find((tag) => tag in languages) ?? 'en';
}

export async function speak(tag) {
  const response = await fetch(`/words/${tag}.json`);
  if (!response.ok) return;
  words = await response.json();
  language = tag;
  document.documentElement.lang = tag;
  for (const element of document.querySelectorAll('[data-word]')) {
    element.textContent = word(element.dataset.word);
  }
  for (const element of document.querySelectorAll('[data-label]')) {
    element.ariaLabel = word(element.dataset.label);
  }
}

export function choose(tag) {
  kept.set(key, tag);
  return speak(tag);
}

// The text, with {names} replaced.
export function word(name, values = {}) {
  return (Object.hasOwn(words, name) ? words[name] : name).replace(/\{(\w+)\}/g, (_, value) => values[value] ?? '');
}

// The text in another language, as a BCP 47 tag; in this one where there is no such language, or no answer.
export async function wordIn(tag = '', name) {
  const main = tag.slice(0, 2).toLowerCase();
  const other = main in languages && await fetch(`/words/${main}.json`).then((response) => response.json()).catch(() => null);
  return other?.[name] ?? word(name);
}

// The text for a name that the coach gives; `text` where the page knows none.
export function wordOr(text, name, values) {
  return Object.hasOwn(words, name) ? word(name, values) : text;
}

// "4:05", "1:02:03".
export function clockText(seconds) {
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0
    ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

// "3 days".
export const amount = (unit, count) =>
  new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count);

// "2026-11-22T18:30:00+01:00" by the clock that it was written with, whatever the phone's zone is.
export function dateText(text, parts) {
  const date = new Date(`${text.slice(0, 19)}Z`);
  return date > 0 ? new Intl.DateTimeFormat(language, { timeZone: 'UTC', ...parts }).format(date) : text;
}

// "1 minute 20 seconds", for a screen reader.
export function spokenLength(seconds) {
  const parts = [
    ['hour', Math.floor(seconds / 3600)], ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ].filter(([unit, count]) => count > 0 || (unit === 'second' && seconds === 0));
  return parts.map((part) => amount(...part)).join(' ');
}

# SPDX-License-Identifier: Apache-2.0
"""Measures how much of a word is audible under a sound, in any language.

The speech intelligibility index (ANSI S3.5-1997, third-octave procedure) over short pieces, as in K.
Rhebergen and N. Versfeld (2005) for fluctuating noise: in each band, speech 15 dB above the noise
counts fully and speech 15 dB below it not at all, weighted by the band's importance for speech. The
threshold of hearing is assumed to be 30 dB below the word's loudest band.
"""

import numpy
import scipy.signal

from hearing.workouts import RATE

# ANSI S3.5-1997, table 3: centre in Hz, and the part of it that speech owes to that band.
IMPORTANCE = {
    160: 0.0083, 200: 0.0095, 250: 0.0150, 315: 0.0289, 400: 0.0440, 500: 0.0578, 630: 0.0653,
    800: 0.0711, 1000: 0.0818, 1250: 0.0844, 1600: 0.0882, 2000: 0.0898, 2500: 0.0868,
    3150: 0.0844, 4000: 0.0771, 5000: 0.0527, 6300: 0.0364, 8000: 0.0185,
}
# Of a good communication system, says the standard; below 0.45 it is a poor one.
GOOD = 0.75
PIECE = 0.016
THRESHOLD_DB = -30
FILTERS = [
    scipy.signal.butter(
        3, [centre * 2 ** (-1 / 6), centre * 2 ** (1 / 6)], "bandpass", fs=RATE, output="sos")
    for centre in IMPORTANCE]


def energies(samples):
    """The energy of each band (rows) in each piece (columns)."""
    size = round(PIECE * RATE)
    count = len(samples) // size
    bands = [scipy.signal.sosfilt(filter, samples) for filter in FILTERS]
    return numpy.array([
        numpy.square(band[:count * size]).reshape(count, size).mean(axis=1) for band in bands])


def index(word, sound):
    """0…1: the intelligibility of the word (samples) under the sound (samples at the same instants)."""
    word, sound = energies(word), energies(sound)
    whole = word.sum(axis=0)
    spoken = whole > whole.max() * 1e-3
    threshold = word.mean(axis=1).max() * 10 ** (THRESHOLD_DB / 10)
    ratio = 10 * numpy.log10(word / (sound + threshold) + 1e-12)
    audible = numpy.clip((ratio + 15) / 30, 0, 1)
    weights = numpy.array(list(IMPORTANCE.values()))
    return float((weights @ audible)[spoken].mean())


def left(word, sound):
    """0…1: the intelligibility under the sound, relative to the word alone."""
    return index(word, sound) / index(word, numpy.zeros_like(sound))

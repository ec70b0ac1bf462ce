// SPDX-License-Identifier: Apache-2.0

// The card's state, shared by its clock (emulated_card.c) and its files (card_files.c).

#ifndef CUECOACH_CARD_H
#define CUECOACH_CARD_H

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define RATE 48000
#define FRAME_BYTES 4
#define CONTROL_MAX 128

enum level { RUN, STALL, UNPLUG, BUSY, DENIED, HANG_WRITE, HANG_CLOSE };

struct card {
  snd_pcm_ioplug_t io;
  // libasound's own lock is not held in poll_revents.
  pthread_mutex_t lock;

  double rate, ppm, step_us, lie_ms, lie_us;
  bool interpolated_delay, queue_lost;
  char *control, *capture, *log;
  int control_fd, capture_fd, log_fd, timer_fd;

  enum level level;
  long xrun_asked, xrun_done;
  char control_seen[CONTROL_MAX];

  int16_t *ring;  // stereo, buffer_size frames
  snd_pcm_uframes_t boundary, avail_min;

  // Running: the clock counts. Gone: unplugged, which a handle never recovers from.
  bool running, stalled, gone;
  int64_t start_ns;
  // Frame anchor_frame is heard at anchor_ns.
  int64_t anchor_ns, anchor_frame;
  // Frames since prepare: heard, as the pointer shows them, and the end that an xrun on demand set.
  int64_t heard, reported, dry_at;
  int64_t captured;
};

// Not exported: the plugin is loaded into processes whose names are not known here.
#pragma GCC visibility push(hidden)

/// Opens log, control and capture. Returns 0 or a negative errno, also when the control file
/// or another handle says that this card may not be opened.
int card_open_files(struct card *card);
/// Brings `level` and `xrun_asked` up to date; leaves them when the file is just being written.
void card_read_control(struct card *card);
/// Appends frames of the ring, counted since prepare.
void card_capture(struct card *card, int64_t from, int64_t count);
/// Writes a line of the log.
__attribute__((format(printf, 2, 3))) void card_note(struct card *card, const char *format, ...);
void card_note_frame(struct card *card, const char *event, int64_t ns);
/// CLOCK_MONOTONIC.
int64_t card_now(void);

#pragma GCC visibility pop

#endif

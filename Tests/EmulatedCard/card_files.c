// SPDX-License-Identifier: Apache-2.0

// The files of the card: control, capture and log.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "card.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int64_t card_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void card_note(struct card *card, const char *format, ...) {
  if (card->log_fd < 0) return;
  char line[128];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  // One write a line: a killed client leaves no half line, two handles do not mix theirs.
  if (write(card->log_fd, line, (size_t)length) != length) SNDERR("the log cannot be written");
}

void card_note_frame(struct card *card, const char *event, int64_t ns) {
  card_note(card, "%s %lld %lld\n", event, (long long)ns, (long long)card->captured);
}

void card_capture(struct card *card, int64_t from, int64_t count) {
  int64_t size = (int64_t)card->io.buffer_size;
  card->captured += count;
  while (count > 0) {
    int64_t offset = from % size, run = size - offset < count ? size - offset : count;
    size_t bytes = (size_t)run * FRAME_BYTES;
    if (card->capture_fd >= 0 &&
        write(card->capture_fd, card->ring + offset * 2, bytes) != (ssize_t)bytes) {
      // A capture with a hole would give wrong instants for everything after it.
      SNDERR("the capture cannot be written; it ends here");
      close(card->capture_fd);
      card->capture_fd = -1;
    }
    from += run;
    count -= run;
  }
}

void card_read_control(struct card *card) {
  if (!card->control) return;
  char text[CONTROL_MAX] = "";
  // Kept open: an open after a sleep can take longer than a client allows for a whole status call.
  // Without a link, the file was deleted or another was renamed over it.
  struct stat file;
  if (card->control_fd >= 0 && (fstat(card->control_fd, &file) < 0 || file.st_nlink == 0)) {
    close(card->control_fd);
    card->control_fd = -1;
  }
  if (card->control_fd < 0)
    card->control_fd = open(card->control, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (card->control_fd >= 0) {
    if (pread(card->control_fd, text, sizeof text - 1, 0) <= 0) return;
  } else if (errno == ENOENT) {
    strcpy(text, "run");
  } else {
    return;
  }
  if (strcmp(text, card->control_seen) == 0) return;
  strcpy(card->control_seen, text);

  card->level = RUN;
  card->xrun_asked = -1;
  char *rest = text, *word;
  while ((word = strsep(&rest, " \t\r\n"))) {
    if (!strcmp(word, "") || !strcmp(word, "run")) continue;
    if (!strcmp(word, "stall")) card->level = STALL;
    else if (!strcmp(word, "unplug")) card->level = UNPLUG;
    else if (!strcmp(word, "busy")) card->level = BUSY;
    else if (!strcmp(word, "denied")) card->level = DENIED;
    else if (!strcmp(word, "hang-write")) card->level = HANG_WRITE;
    else if (!strcmp(word, "hang-close")) card->level = HANG_CLOSE;
    else if (!strcmp(word, "xrun") && rest) card->xrun_asked = strtol(rest, &rest, 10);
    else SNDERR("the control file says \"%s\", which means nothing", word);
  }
}

int card_open_files(struct card *card) {
  const int flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC;
  if (card->log && (card->log_fd = open(card->log, flags, 0666)) < 0) return -errno;

  card_read_control(card);
  card->xrun_done = card->xrun_asked;
  int error = card->level == UNPLUG ? -ENODEV
    : card->level == BUSY ? -EBUSY
    : card->level == DENIED ? -EACCES : 0;
  if (!error && card->log_fd >= 0 && flock(card->log_fd, LOCK_EX | LOCK_NB) < 0) error = -EBUSY;
  if (error) {
    card_note(card, "refused %lld %s\n", (long long)card_now(), strerrorname_np(-error));
    return error;
  }

  struct stat file;
  if (card->capture) {
    card->capture_fd = open(card->capture, flags, 0666);
    if (card->capture_fd < 0 || fstat(card->capture_fd, &file) < 0) return -errno;
    card->captured = file.st_size / FRAME_BYTES;
  }
  return 0;
}

/* A rowing computer in C: its strokes and its heart-rate sensor, both simulated, end the phases of a workout
   that `cuecoach serve` plays, and each rest says the heart rate. The standard library alone.

     cc -o rower rower.c
     cuecoach serve &
     ./rower $XDG_RUNTIME_DIR/cuecoach/control          or /run/cuecoach/control where systemd starts it */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int coach;
static FILE *answers;
static char line[256 * 1024];

/* An answer or event has at most 256 KB, its line feed included. */
static void read_line(void) {
  if (!fgets(line, sizeof line, answers)) {
    fprintf(stderr, "rower: the coach has ended\n");
    exit(1);
  }
}

/* Sends a request and reads its answer. True if it was done; Documentation/control.md has the requests. */
static int ask(const char *verb, const char *fields, ...) {
  static int id;
  dprintf(coach, "{\"id\":%d,\"verb\":\"%s\",", ++id, verb);
  va_list values;
  va_start(values, fields);
  vdprintf(coach, fields, values);
  va_end(values);
  dprintf(coach, "}\n");
  read_line();
  return strstr(line, "\"ok\":true") != NULL;
}

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s",
           count > 1 ? arguments[1] : "/run/cuecoach/control");
  coach = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(coach, (struct sockaddr *)&address, sizeof address) != 0) {
    perror(address.sun_path);
    return 1;
  }
  answers = fdopen(coach, "r");
  read_line(); /* The greeting. */
  if (!ask("start", "\"workout\":\"name: C rows\\nvalues: [heart-rate]\\nblocks:\\n"
                    "  - sets: 2\\n    phases:\\n      - work: {reps: 6}\\n"
                    "      - rest: {until: heart-rate-low, at-most: 60s}\\n"
                    "        say: \\\"{heart-rate}\\\"\\n        at: 1s\\n\"")) {
    fprintf(stderr, "rower: %s", line);
    return 1;
  }
  /* The coach names the lane: "C rows 2" where a "C rows" runs already. */
  char lane[170] = "", *lanes = strstr(line, "\"lanes\":[\"");
  if (lanes) sscanf(lanes + 10, "%169[^\"]", lane);
  int strokes = 0, heart_rate = 160;
  for (;;) {
    usleep(700 * 1000);
    ask("value", "\"lane\":\"%s\",\"name\":\"heart-rate\",\"number\":%d,\"unit\":\"beats-per-minute\"",
        lane, heart_rate);
    if (ask("rep", "\"lane\":\"%s\"", lane)) {
      /* A stroke of a piece. The sixth ends it. */
      strokes++, heart_rate = 160;
    } else if (strstr(line, "\"error\":\"no-effect\"")) {
      /* A rest, or a pause: no stroke counts. */
      heart_rate -= 7;
      if (heart_rate < 120) ask("signal", "\"lane\":\"%s\",\"signal\":\"heart-rate-low\"", lane);
    } else {
      break; /* There is no such workout any more. */
    }
  }
  printf("%d strokes\n", strokes);
  return 0;
}

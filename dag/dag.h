/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag.h, installed as <cairn/dag.h> - front door of dag: programs, their
 * files, schedules and the space of them.
 *
 * Words: an operation (op) is a vertex of the program; a CPU op is run by the
 * control thread, a GPU op is issued to a stream.  A schedule is the complete
 * list of items that the control thread issues in order: ops (GPU ops with a
 * stream) and inserted syncs: CER cudaEventRecord, CES cudaEventSynchronize,
 * CSW cudaStreamWaitEvent.
 *
 * Errors: see base.h.  Ownership: a function named create, read or open
 * returns an object that is freed by the function named in its comment; all
 * other pointers returned belong to the object asked and live as long as it.
 * Thread-safety: distinct objects may be used by distinct threads; a sealed
 * program may be read by many.
 */
#ifndef CAIRN_DAG_H
#define CAIRN_DAG_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * A program: a DAG of CPU and GPU operations.
 *
 * Built by adding ops and edges, then sealed once: sealing adds the artificial
 * start (id 0) and end (the last id, a CPU op), connects them, and checks.
 * Ops between them keep the order of adding.  A sealed program never changes,
 * apart from parameter values.
 */

/* Limits; messages name them. */
#define CAIRN_DAG_MAX_OPS 4096 /* user ops, start and end not counted */
#define CAIRN_DAG_MAX_STREAMS 32
#define CAIRN_DAG_MAX_EDGES 1000000
#define CAIRN_DAG_MAX_NAME 255 /* bytes */

typedef enum cairn_dag_op_kind {
  CAIRN_DAG_CPU,
  CAIRN_DAG_GPU
} cairn_dag_op_kind;

typedef struct cairn_dag_program cairn_dag_program;

/* A list of names; in results the strings belong to the program. */
typedef struct cairn_dag_names {
  const char *const *name;
  size_t count;
} cairn_dag_names;

/* What an op is.  As argument of add_op all strings are copied; as result of
 * cairn_dag_program_op they belong to the program. */
typedef struct cairn_dag_op {
  const char *name; /* unique; [A-Za-z_][A-Za-z0-9_.]*, not reserved */
  cairn_dag_op_kind kind;
  const char *call;      /* plugin function; NULL as argument: same as name */
  const char *arg;       /* string handed to the function, or NULL */
  cairn_dag_names posts; /* messages it starts */
  cairn_dag_names from;  /* per post of a receive: the peers' matching post;
                            empty, or one for all posts, or one each */
  cairn_dag_names waits; /* messages it completes */
  cairn_dag_names reads, writes; /* buffers it touches, if declared */
  const char *file;              /* where it stands, or NULL */
  size_t line;                   /* 1-based, 0 unknown */
} cairn_dag_op;

typedef struct cairn_dag_param {
  const char *name, *value;
} cairn_dag_param;

/* An empty, unsealed program; free with cairn_dag_program_free.
 * CAIRN_NOMEM, CAIRN_INPUT (bad name). */
CAIRN_API cairn_status cairn_dag_program_create(const char *name,
                                                cairn_dag_program **program_p);
CAIRN_API void cairn_dag_program_free(cairn_dag_program *program);

/* Adds an op; *id_p is its final id (1, 2, ... in the order of adding).
 * CAIRN_INPUT with a message for a bad, reserved or repeated name or too many
 * ops; CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_dag_program_add_op(cairn_dag_program *program,
                                                const cairn_dag_op *op,
                                                cairn_base_diag *diag,
                                                unsigned *id_p);
/* Adds the edge before -> after; repeated edges are kept once. */
CAIRN_API cairn_status cairn_dag_program_add_edge(cairn_dag_program *program,
                                                  unsigned before,
                                                  unsigned after,
                                                  cairn_base_diag *diag);
/* Overrides a declared parameter; allowed after sealing too.  CAIRN_USAGE with
 * a message ("did you mean") when it is not declared. */
CAIRN_API cairn_status cairn_dag_program_set_param(cairn_dag_program *program,
                                                   const char *name,
                                                   const char *value,
                                                   cairn_base_diag *diag);
/* Default number of streams, 1..CAIRN_DAG_MAX_STREAMS. */
CAIRN_API cairn_status cairn_dag_program_set_streams(cairn_dag_program *program,
                                                     unsigned streams);

/* Adds start and end and checks: at least one op, no cycle (named in the
 * message), every message posted that is waited for, every `from` posted.
 * CAIRN_INPUT with messages; the program is then unusable but can be freed. */
CAIRN_API cairn_status cairn_dag_program_seal(cairn_dag_program *program,
                                              cairn_base_diag *diag);

CAIRN_API const char *cairn_dag_program_name(const cairn_dag_program *program);

CAIRN_API unsigned cairn_dag_program_streams(const cairn_dag_program *program);
/* Ops of a sealed program, start and end included (>= 3). */
CAIRN_API unsigned cairn_dag_program_ops(const cairn_dag_program *program);
CAIRN_API unsigned cairn_dag_program_gpu_ops(const cairn_dag_program *program);
CAIRN_API const cairn_dag_op *
cairn_dag_program_op(const cairn_dag_program *program, unsigned id);

CAIRN_API const unsigned *
cairn_dag_program_succs(const cairn_dag_program *program, unsigned id,
                        size_t *count_p);

/* ======================================================================
 * The program file.
 */

/* Reads and seals a program.  CAIRN_INPUT with messages "file:line: ..." (up
 * to the diag's limit, sorted), each saying what was expected; CAIRN_NOMEM.
 * No network, no entities, no DTD.  Free with cairn_dag_program_free. */
CAIRN_API cairn_status cairn_dag_program_read(const char *path,
                                              cairn_base_diag *diag,
                                              cairn_dag_program **program_p);
/* The same from memory; `path` is used in messages. */
CAIRN_API cairn_status cairn_dag_program_read_memory(
    const char *data, size_t length, const char *path, cairn_base_diag *diag,
    cairn_dag_program **program_p);

/* ======================================================================
 * A schedule: an array of items in issue order.
 *
 * The structure of a schedule is its ops, their streams, and which record each
 * wait waits for.  Names of syncs are no part of it: they are derived when a
 * schedule is printed.  Canonical form: streams and events are numbered by
 * first use, and the schedule is tidy; then equal schedules are equal bytes.
 */

typedef enum cairn_dag_item_kind {
  CAIRN_DAG_ITEM_CPU, /* id = op */
  CAIRN_DAG_ITEM_GPU, /* id = op, stream */
  CAIRN_DAG_ITEM_CER, /* id = event, stream recorded on */
  CAIRN_DAG_ITEM_CES, /* id = event; the host waits; stream = 0 */
  CAIRN_DAG_ITEM_CSW  /* id = event, stream that waits */
} cairn_dag_item_kind;

/* Four bytes, no padding: arrays of items can be hashed and compared. */
typedef struct cairn_dag_item {
  uint8_t kind; /* cairn_dag_item_kind */
  uint8_t stream;
  uint16_t id;
} cairn_dag_item;

/* A 128-bit key of a canonical schedule (XXH3-128 of its items). */
typedef struct cairn_dag_key {
  uint64_t lo, hi;
} cairn_dag_key;

/* An owned schedule: start with {0}; free with cairn_dag_schedule_free. */
typedef struct cairn_dag_schedule {
  cairn_dag_item *items;
  size_t count, capacity;
} cairn_dag_schedule;

CAIRN_API void cairn_dag_schedule_free(cairn_dag_schedule *schedule);
CAIRN_API cairn_status cairn_dag_schedule_set(cairn_dag_schedule *schedule,
                                              const cairn_dag_item *items,
                                              size_t count);

/* Tidies in place, repeated until nothing changes: drops records nobody waits
 * for, and stream waits after which their stream runs no GPU op and no record
 * that is waited for passes their order on (wait, record, wait elsewhere); then
 * renumbers.  Returns the new count.  Nothing that was covered is uncovered by
 * it.  No allocation. */
CAIRN_API size_t cairn_dag_schedule_tidy_relays(cairn_dag_item *items,
                                                size_t count);

/* Appends the canonical text ("start Pack@0 CER-after-Pack@0#0 ... end").
 * Sync names: a wait serves the edges a->b whose a is a GPU op on the record's
 * stream issued before the record, and whose b, issued after the wait, is a
 * CPU op (CES) or a GPU op on the waiting stream (CSW); B is the b issued
 * first, A, among B's a, the one issued last; a record takes the A of its
 * first wait. */
CAIRN_API cairn_status cairn_dag_schedule_format(
    const cairn_dag_program *program, const cairn_dag_item *items, size_t count,
    cairn_base_text *text);

/* Reads the text of a schedule of this program: any stream and event numbers,
 * any sync names; renumbered, not tidied.  CAIRN_INPUT with a message that
 * names the item and its position when an op is unknown, repeated or missing,
 * a kind does not fit, or an item cannot be read.  Legality is not checked
 * here: see cairn_dag_prove. */
CAIRN_API cairn_status
cairn_dag_schedule_parse(const cairn_dag_program *program, const char *text,
                         cairn_base_diag *diag, cairn_dag_schedule *schedule);

/* The program-order schedule: ops in the order of ids as far as edges allow,
 * all GPU ops on one stream, syncs where needed.  For comparison. */
CAIRN_API cairn_status cairn_dag_schedule_program_order(
    const cairn_dag_program *program, cairn_dag_schedule *schedule);

/* ======================================================================
 * The whole space of a program: enumerate, count, sample.
 *
 * The space (sync mode tidy) is the set of canonical schedules: complete
 * prefixes, renamed, tidied, each once.  Sync mode minimal: those, each
 * minimized, each once.
 */

typedef enum cairn_dag_sync {
  CAIRN_DAG_SYNC_TIDY,
  CAIRN_DAG_SYNC_MINIMAL
} cairn_dag_sync;

/* Called for each schedule, in a fixed order; a non-zero return stops. */
typedef int (*cairn_dag_visit)(void *context, const cairn_dag_item *items,
                               size_t count);

/* Visits every schedule of the space once.  Returns CAIRN_OK, or what ended it
 * early (CAIRN_NOMEM); a stop by the visitor is CAIRN_OK. */
CAIRN_API cairn_status cairn_dag_space_enumerate(
    const cairn_dag_program *program, unsigned streams, cairn_dag_sync sync,
    cairn_dag_visit visit, void *context);

/* A count, exact or estimated. */
typedef struct cairn_dag_size {
  double count; /* exact when `exact` and below 2^53; may be INFINITY */
  int exact;
  /* 1: the program is too wide for more than a look: count is probably too
   * low, by many powers of ten, or INFINITY when no estimate came out, and has
   * no interval: low = 1, high = INFINITY. */
  int rough;
  /* 1: minimal schedules of a wide program: count and high are those of the
   * tidy ones, of which the minimal ones are at most as many; low = 1. */
  int bound;
  double low, high; /* 95 % interval of an estimate; = count when exact */
  /* Of count, low, high: also where they are beyond a double. */
  double log10, log10_low, log10_high;
} cairn_dag_size;

/* Topological orders of the ops (no syncs); partitions of the GPU ops into at
 * most `streams` streams; schedules.  Exact within a budget of work that takes
 * well under a second, estimated otherwise (seeded, so repeatable). */
CAIRN_API cairn_status cairn_dag_space_orders(const cairn_dag_program *program,
                                              cairn_dag_size *size_p);
CAIRN_API cairn_status cairn_dag_space_partitions(
    const cairn_dag_program *program, unsigned streams, cairn_dag_size *size_p);
CAIRN_API cairn_status cairn_dag_space_size(const cairn_dag_program *program,
                                            unsigned streams,
                                            cairn_dag_sync sync, uint64_t seed,
                                            cairn_dag_size *size_p);

/* ======================================================================
 * Can a schedule of the program hang?
 */

/* Kinds beyond cairn_dag_item_kind.  The text of the first two is
 * "CSS-b4-B@stream" and "CDS-b4-B" ("-b4-B" may be left out). */
typedef enum cairn_dag_step_kind {
  CAIRN_DAG_STEP_STREAM_SYNC = CAIRN_DAG_ITEM_CSW + 1, /* host waits: stream */
  CAIRN_DAG_STEP_DEVICE_SYNC, /* the host waits for all streams */
  CAIRN_DAG_STEP_FOLLOW,      /* stream waits for what stream `id` holds now:
                                 the legacy default stream's implicit order */
  CAIRN_DAG_STEP_NONE         /* taken out: no effect */
} cairn_dag_step_kind;

#define CAIRN_DAG_NO_OP ((unsigned)-1)

/* Op `wait` completes a message that needs op `post` to have been issued (here
 * when own, on the peers, which run the same order, when not), and no path of
 * the program leads from `post` to `wait`: some schedule can hang. */
typedef struct cairn_dag_deadlock {
  unsigned wait, post;
  int own;             /* the post of the message itself, not of its match */
  const char *message; /* the message that `wait` completes; the program's */
} cairn_dag_deadlock;

/* All of them, sorted by wait and post; free *list_p with cairn_base_free.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_dag_program_deadlocks(const cairn_dag_program *program,
                            cairn_dag_deadlock **list_p, size_t *count_p);

/* A schedule (one stream, legal) that issues the wait before the post. */
CAIRN_API cairn_status cairn_dag_deadlock_show(
    const cairn_dag_program *program, const cairn_dag_deadlock *deadlock,
    cairn_dag_schedule *schedule);

/* Searches call this first: CAIRN_INPUT, with messages that name the edges to
 * add, when some schedule of the program can deadlock. */
CAIRN_API cairn_status cairn_dag_program_deadlock_free(
    const cairn_dag_program *program, cairn_base_diag *diag);

/* ======================================================================
 * The text of a schedule without its program: what a
 * journal or an imported table holds.  Names are interned, so sequences can be
 * compared by small integers; sync names are kept as recorded.
 */

typedef struct cairn_dag_intern cairn_dag_intern;

typedef struct cairn_dag_token {
  uint32_t name;  /* interned: op name or whole sync name ("CES-b4-y") */
  uint16_t event; /* CER, CES, CSW */
  uint8_t kind;   /* cairn_dag_item_kind; ops with @stream are GPU ops */
  uint8_t stream; /* GPU, CER, CSW */
} cairn_dag_token;

/* ======================================================================
 * Neighbours among many schedules.
 */

/* Kinds, a bit each: two schedules are neighbours by one at most. */
typedef enum cairn_dag_neighbour {
  CAIRN_DAG_NEIGHBOUR_SWAP = 1,
  CAIRN_DAG_NEIGHBOUR_STREAM = 2,
  CAIRN_DAG_NEIGHBOUR_ADJACENT = 3, /* swap or stream */
  CAIRN_DAG_NEIGHBOUR_SYNC = 4,
  CAIRN_DAG_NEIGHBOUR_ANY = 7
} cairn_dag_neighbour;

/* The neighbours of vertex (row) i: to[row[i]] .. to[row[i + 1] - 1],
 * ascending, each once, with the kind of each.  They belong
 * to what gave them. */
typedef struct cairn_dag_neighbours {
  size_t vertices; /* rows */
  size_t *row;     /* vertices + 1 */
  uint32_t *to;
  uint8_t *kind; /* cairn_dag_neighbour */
} cairn_dag_neighbours;

#ifdef __cplusplus
}
#endif
#endif

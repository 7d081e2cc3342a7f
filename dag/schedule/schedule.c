/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/schedule/schedule.c - schedules as arrays of items: tidy, renumber, key.
 *
 * Tidying is one pass backwards: going back one knows the streams that still
 * run a GPU op (so a stream wait is kept or not), and then the events that a
 * kept wait waits for (so a record is kept or not).  Dropping a record makes no
 * wait useless, so one pass reaches the fixed point.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bits-private.h"
#include "dag/program/program-state-private.h"
#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

#include <string.h>

enum {
  EVENTS = 1 << 16, /* values of an item's id */
  STREAMS = 1 << 8,
  EVENT_WORDS = EVENTS / 64
};

void cairn_dag_schedule_free(cairn_dag_schedule *schedule) {
  cairn_base_free(schedule->items);
  memset(schedule, 0, sizeof *schedule);
}

cairn_status cairn_dag_schedule_set(cairn_dag_schedule *schedule,
                                    const cairn_dag_item *items, size_t count) {
  if (cairn_base_reserve(&schedule->items, &schedule->capacity, count,
                         sizeof *items) != CAIRN_OK)
    return CAIRN_NOMEM;
  if (count)
    memcpy(schedule->items, items, count * sizeof *items);
  schedule->count = count;
  return CAIRN_OK;
}

static int is_sync(const cairn_dag_item *item) {
  return item->kind >= CAIRN_DAG_ITEM_CER;
}

static int has_stream(const cairn_dag_item *item) {
  return item->kind == CAIRN_DAG_ITEM_GPU || item->kind == CAIRN_DAG_ITEM_CER ||
         item->kind == CAIRN_DAG_ITEM_CSW;
}

/* Words of a bit set over the events in use, all cleared. */
static void clear_events(const cairn_dag_item *items, size_t count,
                         uint64_t *words) {
  unsigned last = 0;
  for (size_t i = 0; i < count; i++)
    if (is_sync(&items[i]) && items[i].id > last)
      last = items[i].id;
  memset(words, 0, (last / 64 + 1) * sizeof *words);
}

/* Numbers of events and streams given so far, by old number. */
typedef struct renaming {
  uint64_t event_known[EVENT_WORDS]; /* cleared as far as needed */
  uint64_t stream_known[STREAMS / 64];
  uint16_t event[EVENTS]; /* valid where known */
  uint8_t stream[STREAMS];
  unsigned events, streams;
} renaming;

static inline cairn_dag_item rename_item(renaming *names, cairn_dag_item item) {
  if (has_stream(&item)) {
    const unsigned s = item.stream;
    if (!cairn_base__bits_test(names->stream_known, s)) {
      cairn_base__bits_set(names->stream_known, s);
      names->stream[s] = (uint8_t)names->streams++;
    }
    item.stream = names->stream[s];
  } else {
    item.stream = 0;
  }
  if (is_sync(&item)) {
    const unsigned e = item.id;
    if (!cairn_base__bits_test(names->event_known, e)) {
      cairn_base__bits_set(names->event_known, e);
      names->event[e] = (uint16_t)names->events++;
    }
    item.id = names->event[e];
  }
  return item;
}

static void renaming_init(renaming *names, const cairn_dag_item *items,
                          size_t count) {
  clear_events(items, count, names->event_known);
  memset(names->stream_known, 0, sizeof names->stream_known);
  names->events = names->streams = 0;
}

void cairn_dag__schedule_renumber(cairn_dag_item *items, size_t count) {
  renaming names;
  renaming_init(&names, items, count);
  for (size_t i = 0; i < count; i++)
    items[i] = rename_item(&names, items[i]);
}

/* relays: a record that is waited for counts as work of its stream. */
static size_t tidy(cairn_dag_item *items, size_t count, int relays) {
  enum { DROPPED = 0xff };
  uint64_t waited[EVENT_WORDS], running[STREAMS / 64] = {0};
  renaming names;
  size_t kept = 0;
  clear_events(items, count, waited);
  renaming_init(&names, items, count);
  for (size_t i = count; i-- > 0;) {
    cairn_dag_item *const item = &items[i];
    switch (item->kind) {
    case CAIRN_DAG_ITEM_GPU:
      cairn_base__bits_set(running, item->stream);
      break;
    case CAIRN_DAG_ITEM_CER:
      if (!cairn_base__bits_test(waited, item->id))
        item->kind = DROPPED;
      else if (relays)
        cairn_base__bits_set(running, item->stream);
      break;
    case CAIRN_DAG_ITEM_CES:
      cairn_base__bits_set(waited, item->id);
      break;
    case CAIRN_DAG_ITEM_CSW:
      if (cairn_base__bits_test(running, item->stream))
        cairn_base__bits_set(waited, item->id);
      else
        item->kind = DROPPED;
      break;
    default:
      break;
    }
  }
  for (size_t i = 0; i < count; i++)
    if (items[i].kind != DROPPED)
      items[kept++] = rename_item(&names, items[i]);
  return kept;
}

size_t cairn_dag__schedule_tidy(cairn_dag_item *items, size_t count) {
  return tidy(items, count, 0);
}

size_t cairn_dag_schedule_tidy_relays(cairn_dag_item *items, size_t count) {
  return tidy(items, count, 1);
}

cairn_dag_key cairn_dag__schedule_key(const cairn_dag_item *items,
                                      size_t count) {
  const XXH128_hash_t hash = XXH3_128bits(items, count * sizeof *items);
  return (cairn_dag_key){hash.low64, hash.high64};
}

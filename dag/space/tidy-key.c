/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/tidy-key.c - the key of a prefix: what its continuations depend on,
 * and no more:
 *   - which ops are issued, by class: ops of one kind with the same
 *     predecessors and the same successors are interchangeable;
 *   - for each stream in use, whether a wait on it still needs a GPU op, and
 *     the classes of its GPU ops that some unissued op is not yet synced with,
 *     grouped by the record that owns them, in order, with who is after that
 *     record, and whether someone still has to be.
 *
 * Keys are canonical: two prefixes have equal keys if, and only if, all of this
 * is equal after renaming streams.  (If: but for a collision of 128-bit
 * hashes.)  The sampler rests on "only if": the count of whatever it can come
 * to was made for another prefix with the same key.
 *
 * Renaming is the canonical labelling of a small graph: the streams are its
 * vertices, coloured by what they hold, and "t is after group g of s" are its
 * edges.  Streams are sorted by colour; colours are refined by those of the
 * neighbours until nothing changes; where streams are still alike one of them
 * after the other is put first, and of all the orders that come out the least
 * counts, by the colours met on the way, then by edges (McKay 1981).  Three
 * things cut that short: branches with greater colours are left; of streams
 * that can change places one is tried; and two orders with equal edges show a
 * symmetry, so that the rest of the later branch is like the earlier one.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bits-private.h"
#include "dag/space/tidy-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

#include <string.h>

enum {
  STREAMS = CAIRN_DAG_MAX_STREAMS,
  GROUP_WORDS = 3, /* before a group's classes */
  RECORD = 1,      /* flags of a group: it is a record's, not open */
  UNWAITED = 2,    /* nobody waits for the record yet */
  HOST = 4,        /* the host still has to be after it */
  OTHERS = 8       /* other streams still have to */
};

/* What the streams in use hold; the masks of groups apart, for they change
 * with the names of streams. */
typedef struct holdings {
  unsigned used;
  const uint16_t
      *words; /* stream s: words[word[s]] .. words[word[s + 1] - 1] */
  const uint32_t *masks; /* its groups: masks[group[s]] .. */
  uint32_t word[STREAMS + 1], group[STREAMS + 1];
} holdings;

/* An ordered partition of the streams into cells of those alike so far. */
typedef struct cells {
  unsigned count;
  uint8_t order[STREAMS]; /* streams, cell by cell */
  uint8_t rank[STREAMS];  /* stream -> where its cell begins in order */
} cells;

/* ---- memory ---- */

cairn_status cairn_dag__tidy_key_create(cairn_dag__tidy *x) {
  const size_t ops = x->walk->ops;
  const size_t groups = x->walk->program->gpu_ops + (size_t)x->walk->streams;
  const size_t words = x->walk->streams + GROUP_WORDS * groups + ops;
  x->most_groups = groups;
  x->words = cairn_base_alloc(words, sizeof *x->words);
  x->masks = cairn_base_alloc(3 * groups, sizeof *x->masks);
  x->text = cairn_base_alloc(1 + words + 2 * groups + ops, sizeof *x->text);
  return x->words && x->masks && x->text ? CAIRN_OK : CAIRN_NOMEM;
}

void cairn_dag__tidy_key_free(cairn_dag__tidy *x) {
  cairn_base_free(x->words);
  cairn_base_free(x->masks);
  cairn_base_free(x->text);
}

/* ---- what streams hold ---- */

/* Adds a word to sorted ones unless it is there. */
static uint16_t *insert(uint16_t *from, uint16_t *end, uint16_t word) {
  uint16_t *at = end;
  while (at > from && at[-1] > word)
    at--;
  if (at > from && at[-1] == word)
    return end;
  memmove(at + 1, at, (size_t)(end - at) * sizeof *at);
  *at = word;
  return end + 1;
}

/* Words of a group, the ops that a record owns (or that none does): how many
 * classes, flags, how many wait, the classes; and who waits.  Nothing if all
 * who need its ops are after them.  Returns the end.  A class counts once:
 * whoever is after one op of a group is after all of them. */
static uint16_t *write_group(const cairn_dag__tidy *x, unsigned s,
                             unsigned from, unsigned to,
                             const cairn_dag__record *record, int unwaited,
                             uint16_t *out, uint32_t *mask) {
  const cairn_dag_walk *const w = x->walk;
  const uint32_t all = (uint32_t)((UINT64_C(1) << w->streams) - 1);
  const uint32_t waiting = record ? record->waiting : UINT32_C(1) << s;
  const int host = record ? record->host : 0;
  const uint16_t *const list = w->list + (size_t)s * w->ops;
  uint16_t *const classes = out + GROUP_WORDS;
  uint16_t *end = classes;
  int cpu = 0, gpu = 0;
  for (unsigned i = from; i < to; i++) {
    const int c = !host && x->left_cpu[list[i]];
    const int g = (all & ~waiting) && x->left_gpu[list[i]];
    if (!c && !g)
      continue;
    cpu |= c;
    gpu |= g;
    end = insert(classes, end, x->class_of[list[i]]);
  }
  if (end == classes)
    return out;
  *mask = gpu ? waiting : 0;
  out[0] = (uint16_t)(end - classes);
  out[1] = (uint16_t)((record ? RECORD : 0) | (unwaited ? UNWAITED : 0) |
                      (cpu ? HOST : 0) | (gpu ? OTHERS : 0));
  out[2] = (uint16_t)cairn_dag__popcount(*mask);
  return end;
}

/* The stream's groups, the newest first, after a word of its own; their masks
 * at *masks, which is moved on. */
static uint16_t *write_stream(const cairn_dag__tidy *x, unsigned s,
                              uint16_t *out, uint32_t **masks) {
  const cairn_dag_walk *const w = x->walk;
  uint16_t *const first = out, *end;
  unsigned e = w->last[s], groups = 0;
  end = write_group(x, s, e == CAIRN_DAG__NONE ? 0 : w->records[e].end,
                    w->length[s], NULL, 0, ++out, *masks);
  groups += end > out;
  for (; e != CAIRN_DAG__NONE; e = w->records[e].previous) {
    const cairn_dag__record *const record = &w->records[e];
    const unsigned before = record->previous;
    out = end;
    end = write_group(
        x, s, before == CAIRN_DAG__NONE ? 0 : w->records[before].end,
        record->end, record, cairn_base__bits_test(x->unwaited, e), out,
        *masks + groups);
    groups += end > out;
  }
  *masks += groups;
  *first = (uint16_t)(groups << 1 | (x->pending >> s & 1));
  return end;
}

static void write_all(cairn_dag__tidy *x, holdings *h) {
  uint16_t *word = x->words;
  uint32_t *mask = x->masks;
  h->used = x->walk->now.used;
  h->words = word;
  h->masks = mask;
  for (unsigned s = 0; s < h->used; s++) {
    h->word[s] = (uint32_t)(word - x->words);
    h->group[s] = (uint32_t)(mask - x->masks);
    word = write_stream(x, s, word, &mask);
  }
  h->word[h->used] = (uint32_t)(word - x->words);
  h->group[h->used] = (uint32_t)(mask - x->masks);
}

/* ---- cells ---- */

static int compare_words(const holdings *h, unsigned a, unsigned b) {
  const uint32_t length = h->word[a + 1] - h->word[a];
  const uint32_t other = h->word[b + 1] - h->word[b];
  if (length != other)
    return length < other ? -1 : 1;
  return memcmp(h->words + h->word[a], h->words + h->word[b],
                length * sizeof *h->words);
}

/* One cell for each different text of words. */
static void first_cells(const holdings *h, cells *c) {
  for (unsigned s = 0; s < h->used; s++) {
    unsigned k = s;
    for (; k > 0 && compare_words(h, c->order[k - 1], s) > 0; k--)
      c->order[k] = c->order[k - 1];
    c->order[k] = (uint8_t)s;
  }
  c->count = 0;
  for (unsigned i = 0; i < h->used; i++) {
    const int new = i == 0 || compare_words(h, c->order[i - 1], c->order[i]);
    c->count += (unsigned)new;
    c->rank[c->order[i]] = (uint8_t)(new ? i : c->rank[c->order[i - 1]]);
  }
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

/* A colour for each stream from its rank and its neighbours'. */
static void colour(const holdings *h, const cells *c, uint64_t *colours) {
  uint64_t in[STREAMS] = {0};
  for (unsigned s = 0; s < h->used; s++) {
    uint64_t own = c->rank[s];
    for (uint32_t g = h->group[s]; g < h->group[s + 1]; g++) {
      const uint64_t edge =
          mix((uint64_t)c->rank[s] << 32 | (g - h->group[s] + 1));
      uint64_t sum = 0;
      for (uint32_t mask = h->masks[g]; mask; mask &= mask - 1) {
        const unsigned t = cairn_base__bits_lowest(mask);
        sum += mix(c->rank[t] + 1);
        in[t] += edge;
      }
      own = mix(own + UINT64_C(0x9e3779b97f4a7c15) + sum);
    }
    colours[s] = own;
  }
  for (unsigned s = 0; s < h->used; s++)
    colours[s] = mix(colours[s]) + in[s];
}

/* Splits cells by colours until all members of each have the same.  (Two
 * colours that collide leave a cell too large: only slower.)  Returns a number
 * that says what colours there were, whatever the streams' names. */
static uint64_t refine(cairn_dag__tidy *x, const holdings *h, cells *c) {
  uint64_t colours[STREAMS], trace = 0;
  unsigned before = 0;
  while (c->count < h->used && c->count != before) {
    before = c->count;
    colour(h, c, colours);
    x->labour += h->used + h->group[h->used];
    for (unsigned i = 1; i < h->used; i++) {
      const uint8_t s = c->order[i];
      unsigned k = i;
      for (; k > c->rank[s] && colours[c->order[k - 1]] > colours[s]; k--)
        c->order[k] = c->order[k - 1];
      c->order[k] = s;
    }
    c->count = 0;
    for (unsigned i = 0, from = 0; i < h->used; i++) {
      const unsigned s = c->order[i]; /* its rank is still the old one */
      if (c->rank[s] == i || colours[s] != colours[c->order[i - 1]]) {
        from = i;
        c->count++;
      }
      c->rank[s] = (uint8_t)from;
      trace = mix(trace + colours[s]);
    }
  }
  return trace;
}

/* ---- the least order ---- */

typedef struct search {
  cairn_dag__tidy *tidy;
  const holdings *h;
  /* The order at hand: the streams that were put first, what refine said each
   * time, and the masks; and the same of the least order so far. */
  uint8_t path[STREAMS], least_path[STREAMS];
  uint64_t trace[STREAMS], least_trace[STREAMS];
  uint32_t *masks, *least_masks;
  uint8_t least[STREAMS];
} search;

static uint32_t renamed(uint32_t mask, const uint8_t *number) {
  uint32_t result = 0;
  for (; mask; mask &= mask - 1)
    result |= UINT32_C(1) << number[cairn_base__bits_lowest(mask)];
  return result;
}

static void rename_all(const holdings *h, const uint8_t *order, uint32_t *out) {
  uint8_t number[STREAMS];
  for (unsigned i = 0; i < h->used; i++)
    number[order[i]] = (uint8_t)i;
  for (unsigned i = 0; i < h->used; i++)
    for (uint32_t g = h->group[order[i]]; g < h->group[order[i] + 1]; g++)
      *out++ = renamed(h->masks[g], number);
}

static int compare_masks(const uint32_t *a, const uint32_t *b, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* An order with `depth` streams put first; `less`: by its trace it is less than
 * the least one, else their traces are equal.  Returns the depth to go on at:
 * if the masks are equal too, that where their paths part. */
static unsigned try_order(search *x, const cells *c, unsigned depth, int less) {
  const uint32_t groups = x->h->group[x->h->used];
  int difference = -1;
  rename_all(x->h, c->order, x->masks);
  x->tidy->labour += groups + x->h->used;
  if (!less)
    difference = compare_masks(x->masks, x->least_masks, groups);
  if (difference < 0) {
    memcpy(x->least, c->order, sizeof x->least);
    memcpy(x->least_masks, x->masks, groups * sizeof *x->masks);
    memcpy(x->least_path, x->path, sizeof x->path);
    memcpy(x->least_trace, x->trace, sizeof x->trace);
  } else if (difference == 0) {
    for (unsigned d = 0; d < depth; d++)
      if (x->path[d] != x->least_path[d])
        return d;
  }
  return depth;
}

static uint32_t swapped(uint32_t mask, unsigned a, unsigned b) {
  const uint32_t differ = (mask >> a ^ mask >> b) & 1;
  return mask ^ (differ << a | differ << b);
}

/* Can streams a and b of one cell change places, and all is as before? */
static int exchangeable(search *x, unsigned a, unsigned b) {
  const holdings *const h = x->h;
  x->tidy->labour += h->group[h->used] / 4 + 1;
  for (unsigned s = 0; s < h->used; s++) {
    const unsigned other = s == a ? b : s == b ? a : s;
    const uint32_t *const to = h->masks + h->group[other];
    for (uint32_t g = h->group[s]; g < h->group[s + 1]; g++)
      if (swapped(h->masks[g], a, b) != to[g - h->group[s]])
        return 0;
  }
  return 1;
}

/* Is stream order[i] exchangeable with one before it in its cell? */
static int tried(search *x, const cells *c, unsigned from, unsigned i) {
  for (unsigned k = from; k < i; k++)
    if (exchangeable(x, c->order[k], c->order[i]))
      return 1;
  return 0;
}

/* Puts stream order[i] of the cell at `from` before the others of it. */
static void put_first(cells *c, unsigned from, unsigned to, unsigned i) {
  const uint8_t s = c->order[i];
  memmove(c->order + from + 1, c->order + from, i - from);
  c->order[from] = s;
  for (unsigned k = from + 1; k < to; k++)
    c->rank[c->order[k]] = (uint8_t)(from + 1);
  c->count++;
}

/* All orders of refined cells; see try_order. */
static unsigned try_all(search *x, const cells *c, unsigned depth, int less) {
  const unsigned used = x->h->used;
  unsigned from = 0, to;
  if (c->count == used)
    return try_order(x, c, depth, less);
  while (from + 1 < used && c->rank[c->order[from + 1]] != from)
    from++;
  for (to = from + 1; to < used && c->rank[c->order[to]] == from;)
    to++;
  for (unsigned i = from; i < to; i++) {
    cells next = *c;
    if (tried(x, c, from, i))
      continue;
    x->path[depth] = c->order[i];
    put_first(&next, from, to, i);
    x->trace[depth] = refine(x->tidy, x->h, &next);
    if (!less && x->trace[depth] > x->least_trace[depth])
      continue;
    const unsigned back = try_all(
        x, &next, depth + 1, less || x->trace[depth] < x->least_trace[depth]);
    if (back < depth)
      return back;
    less = 0; /* the least one is now from here */
  }
  return depth;
}

static void order_streams(cairn_dag__tidy *x, const holdings *h, cells *c) {
  first_cells(h, c);
  refine(x, h, c);
  if (c->count == h->used || x->rough)
    return;
  search s = {.tidy = x, .h = h};
  s.masks = x->masks + x->most_groups;
  s.least_masks = s.masks + x->most_groups;
  try_all(&s, c, 0, 1);
  memcpy(c->order, s.least, sizeof c->order);
}

cairn_dag_key cairn_dag__tidy_key(cairn_dag__tidy *x) {
  holdings h;
  cells c;
  uint16_t *out = x->text;
  write_all(x, &h);
  order_streams(x, &h, &c);
  *out++ = (uint16_t)h.used;
  for (unsigned i = 0; i < h.used; i++) {
    const unsigned s = c.order[i];
    const size_t words = h.word[s + 1] - h.word[s];
    memcpy(out, h.words + h.word[s], words * sizeof *out);
    out += words;
  }
  uint32_t *const masks = x->masks + x->most_groups;
  const size_t groups = h.group[h.used];
  rename_all(&h, c.order, masks);
  memcpy(out, masks, groups * sizeof *masks);
  out += 2 * groups;
  memcpy(out, x->issued, x->classes * sizeof *x->issued);
  out += x->classes;
  const XXH128_hash_t hash =
      XXH3_128bits(x->text, (size_t)(out - x->text) * sizeof *out);
  return (cairn_dag_key){hash.low64 | 1, hash.high64};
}

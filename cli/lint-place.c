/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/lint-place.c - says where a linted order stands among measured schedules.
 */
#include <cairn/classify.h>

#include "cli/lint.h"

void lint_place_print(const cairn_classify_place *p) {
  if (p->measured)
    cairn_cli_print("among %zu schedules: %.4g us, number %zu from the fastest "
                    "(%.4g us)",
                    p->schedules, 1e6 * p->time, p->rank, 1e6 * p->fastest);
  else
    cairn_cli_print("among %zu schedules: not measured", p->schedules);
  if (p->class_id == 0)
    cairn_cli_print("; which class it would be in cannot be predicted\n");
  else if (p->measured)
    cairn_cli_print("; class %u of %u (%.4g to %.4g us)\n", p->class_id,
                    p->classes, 1e6 * p->low, 1e6 * p->high);
  else
    cairn_cli_print(
        "; predicted: class %u of %u (%.4g to %.4g us; right for %.1f %% of "
        "schedules not learned from); the fastest takes %.4g us\n",
        p->class_id, p->classes, 1e6 * p->low, 1e6 * p->high, 100 * p->held_out,
        1e6 * p->fastest);
}

json_t *lint_place_json(const cairn_classify_place *p) {
  return json_pack(
      "{s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "schedules",
      (json_int_t)p->schedules, "classes", (json_int_t)p->classes, "measured",
      p->measured, "time", cairn_cli_json_number(p->time), "rank",
      p->measured ? json_integer((json_int_t)p->rank) : json_null(), "class",
      p->class_id ? json_integer((json_int_t)p->class_id) : json_null(), "low",
      cairn_cli_json_number(p->low), "high", cairn_cli_json_number(p->high),
      "fastest", cairn_cli_json_number(p->fastest), "held_out",
      cairn_cli_json_number(p->held_out));
}

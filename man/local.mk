# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += man/cairn.1 man/cairn-lint.7

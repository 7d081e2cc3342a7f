#!/bin/sh
# Makes ./configure from a checkout.  Needs autoconf, automake, libtool and
# pkg-config.
set -e
cd "$(dirname "$0")"
mkdir -p build-aux
autoreconf --install --force "$@"
